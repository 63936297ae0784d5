"""Files that are written because of an analysis, and where they must not be."""
import json
import os
import subprocess

from scene import Attack, Link, snapshot

FIXABLE = """// smem-lint: launch block=(32,32) grid=(2,2)
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""


class VictimsFile:
    """`check` for cases that need a repairable file of the victim: the scene makes it, runs once more, and compares."""

    def __init__(self, arguments, links, says=(), repository=False):
        self.arguments, self.links, self.says, self.repository = arguments, links, says, repository

    def __call__(self, test, scene, _):
        (scene.victim / "kernel.cu").write_text(FIXABLE)
        if self.repository:
            (scene.victim / ".git").mkdir()
        for name, target in self.links.items():
            at = scene.repository / name
            at.parent.mkdir(parents=True, exist_ok=True)
            if at.exists() or at.is_symlink():
                at.unlink()
            at.symlink_to(scene.text(target))
        before = snapshot(scene.victim)
        result = scene.run(*self.arguments)
        test.assertEqual(snapshot(scene.victim), before, str(result))
        test.assertIn(result.code, (0, 1, 2), str(result))
        for text in self.says:
            test.assertIn(scene.text(text), result.err + result.out, str(result))


def has(path):
    def check(test, scene, result):
        test.assertTrue((scene.repository / path).is_file() and not (scene.repository / path).is_symlink(), str(result))
    return check


def is_json(path):
    def check(test, scene, result):
        has(path)(test, scene, result)
        json.loads((scene.repository / path).read_text())
    return check


def diff_below_a_link(test, scene, _):
    """In the revision the folder of the run was a link out of the repository."""
    (scene.repository / "sub").symlink_to(scene.victim)
    scene.git("add", "-A")
    scene.git("commit", "-q", "-m", "link")
    (scene.repository / "sub").unlink()
    (scene.repository / "sub" / "deep").mkdir(parents=True)
    (scene.repository / "sub" / "deep" / "k.cu").write_text(FIXABLE)
    before = snapshot(scene.victim)
    done = subprocess.run([scene.smem_lint, "diff", "--cuda-path=none", "HEAD"], cwd=scene.repository / "sub" / "deep", capture_output=True, text=True, check=False, env=scene.environment())
    test.assertEqual(done.returncode, 2, done.stderr)
    test.assertIn("cannot check out", done.stderr)
    test.assertEqual(snapshot(scene.victim), before)
    test.assertEqual(os.listdir(scene.temporary), [])


NO_PLACE = ("is not a place in '{repository}'",)
OUT = "outside of '{repository}'"

ATTACKS = [
    # --fix
    Attack("fix_through_a_link_to_a_file", git=True, check=VictimsFile(("--fix", "link.cu"), {"link.cu": "{victim}/kernel.cu"}, says=("fixes were left out", OUT))),
    Attack("fix_through_a_relative_link", git=True, check=VictimsFile(("--fix", "link.cu"), {"link.cu": "../victim/kernel.cu"}, says=(OUT,))),
    Attack("fix_through_a_folder_that_is_a_link", git=True, check=VictimsFile(("--fix", "src/kernel.cu"), {"src": "{victim}"}, says=(OUT,))),
    Attack("fix_through_two_links", git=True, check=VictimsFile(("--fix", "a.cu"), {"a.cu": "b.cu", "b.cu": "{victim}/kernel.cu"}, says=(OUT,))),
    Attack("fix_of_a_header_that_is_a_link", files={"unit.cu": '#include "k.cuh"\n'}, git=True,
           check=VictimsFile(("--fix", "unit.cu"), {"k.cuh": "{victim}/kernel.cu"}, says=("fixes were left out",))),
    Attack("fix_of_a_header_by_its_path", files={"unit.cu": '#include "../victim/kernel.cu"\n'}, git=True,
           check=VictimsFile(("--fix", "unit.cu"), {}, says=("is not one of the project's files",))),
    Attack("fix_of_a_header_in_a_folder_that_is_a_link", files={"unit.cu": '#include "inc/kernel.cu"\n'}, git=True,
           check=VictimsFile(("--fix", "unit.cu"), {"inc": "{victim}"}, says=("fixes were left out",))),
    Attack("fix_through_a_link_without_git", check=VictimsFile(("--fix", "link.cu"), {"link.cu": "{victim}/kernel.cu"}, says=(OUT,))),
    Attack("fix_with_an_absolute_name", git=True, check=VictimsFile(("--fix", "{repository}/link.cu"), {"link.cu": "{victim}/kernel.cu"}, says=(OUT,))),
    Attack("fix_through_a_link_to_another_repository", git=True,
           check=VictimsFile(("--fix", "sub/kernel.cu"), {"sub": "{victim}"}, says=(OUT,), repository=True)),
    Attack("fix_of_a_link_of_the_repository_stays_inside", files={"transpose.cu": FIXABLE, "link.cu": Link("transpose.cu")}, arguments=("--fix", "link.cu"),
           code=(0, 1), git=True, writes=("transpose.cu",), says=("--fix: 1 edit",)),
    Attack("fix_of_an_ordinary_file", files={"transpose.cu": FIXABLE}, arguments=("--fix", "transpose.cu"), git=True, code=(0, 1), writes=("transpose.cu",), says=("--fix: 1 edit",)),
    # outputs of the command line
    Attack("output_over_a_link", files={"report.json": Link("{victim}/precious")}, arguments=("--format=json", "-o", "report.json", "kernel.cu"), writes=("report.json",), check=is_json("report.json")),
    Attack("output_over_a_dangling_link", files={"report.json": Link("{victim}/new")}, arguments=("--format=json", "-o", "report.json", "kernel.cu"), writes=("report.json",), check=is_json("report.json")),
    Attack("output_over_a_link_to_a_script", files={"report.html": Link("{victim}/script.sh")}, arguments=("--format=html", "-o", "report.html", "kernel.cu"), writes=("report.html",), check=has("report.html")),
    Attack("exported_fixes_over_a_link", files={"transpose.cu": FIXABLE, "fixes.yaml": Link("{victim}/precious")}, arguments=("--export-fixes=fixes.yaml", "transpose.cu"), writes=("fixes.yaml",),
           check=has("fixes.yaml")),
    Attack("a_part_over_a_link", files={"part": Link("{victim}/precious")}, arguments=("--shard=1/1", "-o", "part", "kernel.cu"), writes=("part",), check=has("part")),
    Attack("a_baseline_over_a_link", files={"b.json": Link("{victim}/new")}, arguments=("--baseline=b.json", "--update-baseline", "kernel.cu"), writes=("b.json",), check=is_json("b.json")),
    Attack("an_old_baseline_over_a_link", files={"b.json": Link("{victim}/precious")}, arguments=("--baseline=b.json", "--update-baseline", "kernel.cu"), code=2, says=("b.json", "the baseline")),
    # baselines and caches that a configuration names
    *[Attack(f"a_configured_baseline_{what}", files={".smem-lint.yaml": f"Baseline: '{value}'\n", **links}, arguments=("--update-baseline", "kernel.cu"), git=git, code=2, says=NO_PLACE)
      for what, value, links, git in (
          ("outside", "{victim}/baseline.json", {}, True), ("above", "../victim/baseline.json", {}, True), ("that_is_a_link", "b.json", {"b.json": Link("{victim}/new")}, True),
          ("that_is_a_link_to_a_file", "b.json", {"b.json": Link("{victim}/precious")}, True), ("in_a_folder_that_is_a_link", "d/b.json", {"d": Link("{victim}")}, True),
          ("without_git", "../victim/b.json", {}, False), ("that_is_a_device", "/dev/zero", {}, True), ("among_gits_own", ".git/hooks/post-checkout", {}, True))],
    Attack("a_configured_baseline_of_the_repository", files={".smem-lint.yaml": "Baseline: b.json\n"}, arguments=("--update-baseline", "kernel.cu"), git=True, code=0, writes=("b.json",), check=is_json("b.json")),
    Attack("a_baseline_that_is_a_device", arguments=("--baseline=/dev/zero", "kernel.cu"), code=2, says=("the baseline cannot be read: it is a device, and only regular files are read",)),
    *[Attack(f"a_configured_cache_{what}", files={".smem-lint.yaml": f"CacheDir: '{value}'\n", **links}, git=True, code=2, says=NO_PLACE)
      for what, value, links in (
          ("outside", "{victim}/cache", {}), ("in_a_folder_of_the_victim", "{victim}/empty", {}), ("above", "../tools", {}), ("that_is_a_link", "cache", {"cache": Link("{victim}/empty")}),
          ("below_a_link", "d/cache", {"d": Link("{victim}")}), ("among_gits_own", ".git/cache", {}))],
    Attack("a_configured_cache_that_is_a_link_inside", files={".smem-lint.yaml": "CacheDir: cache\n", "cache": Link("src"), "src/a.txt": ""}, git=True, code=(0, 1),
           says=("the cache is not used", "symbolic link"), analysed=True),
    Attack("folders_of_the_cache_that_are_links", files={"cache/" + format(n, "02x"): Link("{victim}/empty") for n in range(256)}, arguments=("--cache-dir=cache", "kernel.cu"),
           says=("the cache is not written", "symbolic link"), analysed=True, writes=("cache/prefixes*",)),
    # diff
    Attack("diff_below_a_link_of_the_revision", git=True, check=diff_below_a_link),
]
