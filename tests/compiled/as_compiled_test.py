#!/usr/bin/env python3
"""--as-compiled as its users meet it: listings recorded from the catalogue, tools that only pretend to be nvcc and nvdisasm.

    as_compiled_test.py SMEM_LINT [Listings|Tools|Auto|Cached|Built|Mistakes|Mutated|Recorded]
"""
import json
import os
import pathlib
import random
import re
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINT = ""


def listing(name):
    return HERE / "data" / f"{name}.sass"


def lint(*arguments, env=None, cwd=ROOT):
    return subprocess.run([LINT, "--cuda-path=none", "--fail-on=never", *map(str, arguments)], cwd=cwd, env={"SMEM_LINT_CACHE_KEY": "of the tests, not a user's", **(env or os.environ)}, capture_output=True, text=True, check=False)


def report(name, *arguments, **options):
    done = lint(f"--as-compiled={listing(name)}", "--format=json", *arguments, f"kernels/{name}.cu", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Listings(unittest.TestCase):
    def test_counts_that_agree_are_confirmed(self):
        result = report("gemm_tiled_conflict")
        self.assertEqual({key: result["files"][0]["as_compiled"][key] for key in ("confirmed", "corrected", "absent", "open")},
                         {"confirmed": 14, "corrected": 0, "absent": 0, "open": 0})
        sites = [site for launch in result["launches"] for site in launch["sites"]]
        self.assertTrue(all(site["compiled"] == "confirmed" and site["verdict"] == "exact" for site in sites))

    def test_a_store_that_the_compiler_merged_is_where_it_put_it(self):
        # nvcc makes one store of those in the then and else blocks, and attributes it to a line between them.
        by_line = {site["line"]: site for site in report("gemm_tiled_branches")["launches"][0]["sites"] if (site["space"], site["operation"]) == ("shared", "store")}
        self.assertEqual({line: site["compiled"] for line, site in by_line.items()}, {36: "absent", 41: "added", 42: "absent"})
        self.assertEqual(by_line[41]["wavefronts"], 2097152)
        self.assertEqual(by_line[41]["verdict"], "exact")
        self.assertEqual(by_line[36]["wavefronts"], 0)

    def test_the_text_says_what_was_used(self):
        done = lint("--table", f"--as-compiled={listing('gemm_tiled_branches')}", "kernels/gemm_tiled_branches.cu")
        self.assertIn(f"as compiled ({listing('gemm_tiled_branches')}): ", done.stdout)
        self.assertIn("1 corrected, 2 without an instruction, 0 left open", done.stdout)
        self.assertIn("as compiled: the machine code has no such instruction at this source location", done.stdout)

    def test_without_the_option_nothing_is_said(self):
        done = lint("kernels/gemm_tiled_branches.cu")
        self.assertNotIn("compiled", done.stdout)

    def test_one_listing_may_serve_several_files(self):
        with tempfile.TemporaryDirectory() as folder:
            both = pathlib.Path(folder, "both.sass")
            both.write_text(listing("grid_stride").read_text() + listing("bitonic_sort").read_text())
            done = lint(f"--as-compiled={both}", "--format=json", "kernels/grid_stride.cu", "kernels/bitonic_sort.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(all(file["as_compiled"]["confirmed"] for file in json.loads(done.stdout)["files"]))

    def test_what_ptxas_has_made_of_a_kernel(self):
        done = lint("--as-compiled=tests/compiled/data/resources.sass", "--format=json", "tests/compiled/data/resources.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = {launch["kernel"]: launch["compiled"] for launch in json.loads(done.stdout)["launches"]}
        # As `ptxas -v` has registers, stack and shared memory; two blocks of two warps store 16 elements each and load one.
        self.assertEqual({name: (one["registers"], one["stack_bytes"], one["shared_bytes"]) for name, one in made.items()},
                         {"tiled": (12, 0, 4224), "local_array": (23, 64, 0), "spilling": (32, 200, 0)})
        self.assertEqual(made["local_array"] | {"registers": 0}, {"registers": 0, "stack_bytes": 64, "shared_bytes": 0, "local_load_instructions": 1, "local_store_instructions": 16,
                                                                  "local_load_requests": 4, "local_store_requests": 64, "local_verdict": "exact"})
        self.assertEqual(made["tiled"]["local_load_requests"], 0)
        self.assertGreater(made["spilling"]["local_store_requests"], 64 * 100 // 3)
        table = lint("--as-compiled=tests/compiled/data/resources.sass", "--table", "--kernel=local_array", "tests/compiled/data/resources.cu").stdout
        self.assertIn("  compiled: 23 registers, 0 B of static shared memory, 64 B of stack a thread, 1 local load (4 requests), 16 local stores (64 requests)\n", table)

    def test_other_architectures(self):
        for architecture in ("sm_80", "sm_100"):
            done = lint(f"--as-compiled={listing('gemm_tiled_conflict.' + architecture)}", f"--arch={architecture}", "--format=json", "kernels/gemm_tiled_conflict.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["files"][0]["as_compiled"]["confirmed"], 14)

    def test_a_cache_tells_with_and_without_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = f"--cache-dir={folder}"
            plain = lint(cache, "--format=json", "kernels/gemm_tiled_branches.cu").stdout
            settled = report("gemm_tiled_branches", cache)
            self.assertEqual(lint(cache, "--format=json", "kernels/gemm_tiled_branches.cu").stdout, plain)
            self.assertEqual(report("gemm_tiled_branches", cache), settled)

    def test_a_cache_knows_another_listing_of_the_same_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(listing("grid_stride").read_text())
            first = lint(f"--as-compiled={path}", f"--cache-dir={folder}/cache", "kernels/grid_stride.cu")
            self.assertEqual(first.returncode, 0, first.stderr)
            path.write_text("nothing")
            self.assertEqual(lint(f"--as-compiled={path}", f"--cache-dir={folder}/cache", "kernels/grid_stride.cu").returncode, 2)

    def test_a_page_shows_the_counts_of_the_machine_code(self):
        done = lint(f"--as-compiled={listing('gemm_tiled_branches')}", "--format=html", "kernels/gemm_tiled_branches.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("</html>", done.stdout)

    def test_baseline_and_shards(self):
        one, file = f"--as-compiled={listing('gemm_tiled_conflict')}", "kernels/gemm_tiled_conflict.cu"
        with tempfile.TemporaryDirectory() as folder:
            baseline = f"--baseline={folder}/b.json"
            lint(one, baseline, "--update-baseline", file)
            again = lint(one, baseline, file)
            self.assertIn("baseline: 0 new, 0 worse", again.stdout)
            part = f"{folder}/part"
            self.assertEqual(lint(one, "--shard=1/1", f"--output={part}", file).returncode, 0)
            merged = subprocess.run([LINT, "merge", "--fail-on=never", "--format=json", part], cwd=ROOT, capture_output=True, text=True, check=False)
            self.assertEqual(json.loads(merged.stdout)["files"][0]["as_compiled"]["confirmed"], 14)


class Toolkit(unittest.TestCase):
    """A toolkit whose nvcc and nvdisasm write down how they were called."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "bin").mkdir()
        self.tool("nvcc", 'if [ "$1" = -M ] || [ "$2" = -M ]; then cat "$ROOT/read"; exit 0; fi; echo "$@" > "$ROOT/nvcc.called"; while [ "$1" != -o ]; do shift; done; printf "\\177ELFcode" > "$2"')
        self.tool("nvdisasm", f'echo "$@" > "$ROOT/nvdisasm.called"; cat {listing("grid_stride")}')
        self.env = dict(os.environ, CUDA_PATH=str(self.root), ROOT=str(self.root))

    def tearDown(self):
        self.folder.cleanup()

    def tool(self, name, script, version="13.0.77"):
        path = self.root / "bin" / name
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V{version}"; exit 0; fi\n' + script + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


class Tools(Toolkit):
    """--as-compiled: nvcc and nvdisasm."""

    def test_a_file_is_compiled_and_disassembled(self):
        done = lint("--as-compiled", "--format=json", "kernels/grid_stride.cu", "--", "-DX=1", "-c", "-o", "x.o", "-gencode", "arch=compute_90,code=sm_90", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        used = json.loads(done.stdout)["files"][0]["as_compiled"]
        self.assertEqual(used["from"], "nvcc 13.0.77, nvdisasm 13.0.77")
        self.assertGreater(used["confirmed"], 0)
        called = (self.root / "nvcc.called").read_text().split()
        self.assertEqual(called[:4], ["-DX=1", "-cubin", "-lineinfo", "-arch=sm_90"])
        self.assertEqual(called[-1], "kernels/grid_stride.cu")
        self.assertTrue((self.root / "nvdisasm.called").read_text().startswith("-gi "))
        self.assertFalse(pathlib.Path(called[-2]).exists(), "the cubin is left behind")

    def test_the_suffix_of_a_target_is_kept(self):
        lint("--as-compiled", "kernels/grid_stride.cu", "--", "-arch=sm_90a", env=self.env)
        self.assertIn("-arch=sm_90a", (self.root / "nvcc.called").read_text())

    def test_the_doctor_finds_them(self):
        done = lint("--doctor", env=self.env)
        self.assertIn(f"  nvcc: {self.root}/bin/nvcc\n  nvdisasm: {self.root}/bin/nvdisasm\n", done.stdout)

    def test_a_cubin_is_disassembled(self):
        cubin = self.root / "k.cubin"
        cubin.write_bytes(b"\x7fELFcode")
        done = lint(f"--as-compiled={cubin}", "--format=json", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(json.loads(done.stdout)["files"][0]["as_compiled"]["from"], f"{cubin}, nvdisasm 13.0.77")
        self.assertFalse((self.root / "nvcc.called").exists())

    def test_nvcc_that_fails_is_quoted(self):
        self.tool("nvcc", 'echo "k.cu(3): error: no such thing" >&2; exit 2')
        done = lint("--as-compiled", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nvcc does not compile kernels/grid_stride.cu: k.cu(3): error: no such thing", done.stderr)
        self.assertIn("memory instructions:", done.stdout)  # what the source says is there all the same

    def test_nvdisasm_that_fails_is_quoted(self):
        self.tool("nvdisasm", 'echo "nvdisasm fatal : Object file appears truncated" >&2; exit 1')
        done = lint("--as-compiled", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nvdisasm 13.0.77 cannot read kernels/grid_stride.cu: nvdisasm fatal : Object file appears truncated", done.stderr)


    def test_nvdisasm_of_another_release_is_named(self):
        self.tool("nvdisasm", 'echo "nvdisasm fatal : unknown format" >&2; exit 1', version="12.4.127")
        done = lint("--as-compiled", "kernels/grid_stride.cu", env=self.env)
        self.assertIn("nvdisasm 12.4.127 cannot read kernels/grid_stride.cu: nvdisasm fatal : unknown format; nvcc is 13.0.77", done.stderr)

    def test_tools_of_a_python_package(self):
        packages = self.root / "venv" / "lib" / "python3.11" / "site-packages"
        (packages / "triton" / "backends" / "nvidia" / "bin").mkdir(parents=True)
        (self.root / "bin" / "nvdisasm").rename(packages / "triton" / "backends" / "nvidia" / "bin" / "nvdisasm")
        env = dict(self.env, VIRTUAL_ENV=str(self.root / "venv"), PATH="/usr/bin:/bin")
        if pathlib.Path("/usr/local/cuda/bin/nvdisasm").exists() or pathlib.Path("/usr/bin/nvdisasm").exists():
            self.skipTest("the toolkit's own comes first")
        done = lint("--as-compiled", "--format=json", "kernels/grid_stride.cu", env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout)["files"][0]["as_compiled"]["confirmed"], 0)


class Auto(Toolkit):
    """--as-compiled=auto: with the tools where they are, without a complaint where they are not."""

    def test_with_the_tools(self):
        done = lint("--as-compiled=auto", "--format=json", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = json.loads(done.stdout)["files"][0]
        self.assertEqual(file["as_compiled"]["from"], "nvcc 13.0.77, nvdisasm 13.0.77")
        self.assertNotIn("not_as_compiled", file)

    def test_what_nvcc_does_not_compile(self):
        self.tool("nvcc", 'echo "k.cu(3): error: no such thing" >&2; exit 2')
        done = lint("--as-compiled", "auto", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("from source: nvcc does not compile kernels/grid_stride.cu: k.cu(3): error: no such thing", done.stdout)
        done = lint("--as-compiled=auto", "--format=json", "kernels/grid_stride.cu", env=self.env)
        self.assertIn("does not compile", json.loads(done.stdout)["files"][0]["not_as_compiled"])

    def test_warnings_of_nvcc_are_none_of_ours(self):
        self.tool("nvcc", 'echo "k.cu(3): warning: declared but never referenced" >&2; while [ "$1" != -o ]; do shift; done; printf "\\177ELFcode" > "$2"')
        done = lint("--as-compiled=auto", "kernels/grid_stride.cu", env=self.env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("as compiled (nvcc 13.0.77", done.stdout)

    def test_without_nvdisasm(self):
        (self.root / "bin" / "nvdisasm").unlink()
        env = dict(self.env, PATH="/usr/bin:/bin", HOME=str(self.root))
        done = lint("--as-compiled=auto", "kernels/grid_stride.cu", env=env)
        if "as compiled (" in done.stdout:
            self.skipTest("this machine has one")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("from source: no nvdisasm found", done.stdout)

    def test_without_nvdisasm_results_are_kept(self):
        (self.root / "bin" / "nvdisasm").unlink()
        env = dict(self.env, PATH="/usr/bin:/bin", HOME=str(self.root))
        done = lint("--as-compiled=auto", f"--cache-dir={self.root}/cache", "kernels/grid_stride.cu", env=env)
        if "as compiled (" in done.stdout:
            self.skipTest("this machine has one")
        self.assertTrue(any(path.is_file() for path in (self.root / "cache").rglob("*")))
        self.assertEqual(lint("--as-compiled=auto", f"--cache-dir={self.root}/cache", "kernels/grid_stride.cu", env=env).stdout, done.stdout)

    def test_the_configuration_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "grid_stride.cu")
            file.write_text((ROOT / "kernels" / "grid_stride.cu").read_text().replace('"catalogue.h"', f'"{ROOT}/kernels/catalogue.h"'))
            configuration = pathlib.Path(folder, ".smem-lint.yaml")
            configuration.write_text("AsCompiled: auto\n")
            self.assertIn("as compiled (nvcc", lint(file, env=self.env).stdout)
            self.assertNotIn("as compiled (nvcc", lint("--as-compiled=off", file, env=self.env).stdout)
            self.assertEqual(lint("--suggest-fixes", file, env=self.env).returncode, 0)
            configuration.write_text("AsCompiled: off\n")
            self.assertNotIn("as compiled (nvcc", lint(file, env=self.env).stdout)
            configuration.write_text("AsCompiled: perhaps\n")
            wrong = lint(file, env=self.env)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn(".smem-lint.yaml:1:13: error: AsCompiled: 'perhaps' is none of auto, nvcc, off", wrong.stderr)

    def test_both_sides_of_a_diff(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*words):
                subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", folder, *words], check=True, capture_output=True)
            file = pathlib.Path(folder, "grid_stride.cu")
            text = (ROOT / "kernels" / "grid_stride.cu").read_text().replace('"catalogue.h"', f'"{ROOT}/kernels/catalogue.h"')
            file.write_text(text)
            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "one")
            file.write_text(text + "// changed\n")
            self.tool("nvcc", 'echo "$@" >> "$ROOT/nvcc.called"; while [ "$1" != -o ]; do shift; done; printf "\\177ELFcode" > "$2"')
            done = subprocess.run([LINT, "diff", "HEAD", "--as-compiled", "--cuda-path=none", "grid_stride.cu"], cwd=folder, env=self.env, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len((self.root / "nvcc.called").read_text().splitlines()), 2)


class Cached(Toolkit):
    """What nvcc and nvdisasm have made is made once."""

    def setUp(self):
        super().setUp()
        self.source = self.root / "grid_stride.cu"
        self.header = self.root / "own.h"
        self.header.write_text("// nothing\n")
        self.source.write_text((ROOT / "kernels" / "grid_stride.cu").read_text().replace('"catalogue.h"', f'"{ROOT}/kernels/catalogue.h"'))
        (self.root / "read").write_text(f"grid_stride.o : {self.source} \\\n    {self.header}\n")

    def run_once(self, *arguments):
        called = self.root / "nvcc.called"
        called.unlink(missing_ok=True)
        done = lint("--as-compiled", f"--cache-dir={self.root}/cache", "--format=json", *arguments, self.source, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return called.exists(), json.loads(done.stdout)

    def test_the_second_run(self):
        compiled, first = self.run_once()
        self.assertTrue(compiled)
        self.assertEqual(self.run_once(), (False, first))

    def test_other_launches_of_the_same_code(self):
        self.assertTrue(self.run_once()[0])
        compiled, other = self.run_once("--max-steps=123456789")
        self.assertFalse(compiled)
        self.assertEqual(other["files"][0]["as_compiled"]["from"], "nvcc 13.0.77, nvdisasm 13.0.77")

    def test_what_only_nvcc_has_read(self):
        self.assertTrue(self.run_once()[0])
        self.header.write_text("// something\n")
        self.assertTrue(self.run_once()[0])
        self.assertFalse(self.run_once()[0])

    def test_another_compiler(self):
        self.assertTrue(self.run_once()[0])
        nvcc = self.root / "bin" / "nvcc"
        nvcc.write_text(nvcc.read_text() + "# of another build\n")
        self.assertTrue(self.run_once()[0])

    def test_flags_of_the_compiler(self):
        self.assertTrue(self.run_once()[0])
        self.env["NVCC_APPEND_FLAGS"] = "-O1"
        self.assertTrue(self.run_once()[0])

    def test_a_compiler_that_does_not_say_what_it_reads(self):
        (self.root / "read").unlink()
        self.assertTrue(self.run_once()[0])
        self.assertTrue(self.run_once()[0])


class Built(Toolkit):
    """What a build has made: cuobjdump takes cubins out of it, nvdisasm prints them."""

    def setUp(self):
        super().setUp()
        self.library = self.root / "libk.so"
        self.library.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + bytes(200))
        self.cubins = self.root / "cubins"
        self.cubins.mkdir()
        self.cubin("a.sm_90.cubin", "grid_stride")
        self.cubin("b.sm_90.cubin", "bitonic_sort")
        self.tool("cuobjdump", 'case "$1" in -xelf) for f in "$ROOT"/cubins/*$2*; do cp "$f" .; echo "Extracting ELF file    1: x"; done;; '
                  '-lelf) for f in "$ROOT"/cubins/*; do echo "ELF file    1: $(basename $f)"; done;; -lptx) cat "$ROOT/ptx" 2>/dev/null;; esac; true')
        self.tool("nvdisasm", 'cat "$(sed -n "s/^listing //p" "$2")"')
        self.env["PATH"] = "/usr/bin:/bin"

    def cubin(self, name, kernel, text=None):
        path = self.root / f"{name}.sass"
        path.write_text(listing(kernel).read_text() if text is None else text)
        names = re.findall(r"\.text\.(\w+)", path.read_text())
        (self.cubins / name).write_text("\x7fELF\n" + "\n".join(names) + f"\nlisting {path}\n")

    def used(self, *arguments, file="kernels/grid_stride.cu"):
        done = lint(f"--as-compiled={self.library}", "--format=json", *arguments, file, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["files"][0]["as_compiled"]

    def refused(self, text, *arguments):
        done = lint(f"--as-compiled={self.library}", *arguments, "kernels/grid_stride.cu", env=self.env)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(text, done.stderr)

    def test_a_library(self):
        for file in ("kernels/grid_stride.cu", "kernels/bitonic_sort.cu"):
            used = self.used(file=file)
            self.assertEqual(used["from"], f"{self.library}, nvdisasm 13.0.77")
            self.assertGreater(used["confirmed"], 0)

    def test_archives_and_fatbins(self):
        for begin in (b"!<arch>\nx", b"\x50\xed\x55\xba\x01\x00"):
            self.library.write_bytes(begin)
            self.assertGreater(self.used()["confirmed"], 0)

    def test_other_architectures_only(self):
        (self.cubins / "a.sm_90.cubin").rename(self.cubins / "a.sm_80.cubin")
        (self.cubins / "b.sm_90.cubin").unlink()
        self.refused("has machine code of sm_80 and none of sm_90: --arch=sm_80 models what is there")

    def test_a_prefix_is_no_architecture(self):
        (self.cubins / "a.sm_90.cubin").rename(self.cubins / "a.sm_900.cubin")
        (self.cubins / "b.sm_90.cubin").unlink()
        self.refused("has machine code of sm_900 and none of sm_90")

    def test_ptx_only(self):
        for cubin in self.cubins.iterdir():
            cubin.unlink()
        (self.root / "ptx").write_text("PTX file    1: a.sm_90.ptx\n")
        self.refused("has PTX only, which the driver compiles when it is loaded")

    def test_no_device_code(self):
        for cubin in self.cubins.iterdir():
            cubin.unlink()
        self.refused("has no machine code of a GPU")

    def test_none_of_these_kernels(self):
        (self.cubins / "a.sm_90.cubin").unlink()
        self.refused("has none of this file's kernels")

    def test_cubins_of_one_name(self):
        (self.cubins / "a.sm_90.cubin").unlink()
        self.tool("cuobjdump", 'cp "$ROOT"/cubins/* .; echo "Extracting ELF file 1: b.sm_90.cubin"; echo "Extracting ELF file 2: b.sm_90.cubin"')
        self.refused("has several cubins of one name, of which only the last can be looked at: name the object file of this source")

    def test_cubins_of_one_name_and_a_kernel_of_a_file_of_that_name(self):
        self.tool("cuobjdump", 'cp "$ROOT"/cubins/* .; echo "Extracting ELF file 1: a.sm_90.cubin"; echo "Extracting ELF file 2: a.sm_90.cubin"; echo "Extracting ELF file 3: b.sm_90.cubin"')
        self.refused("was compiled from other files: none of its places lies in this one; ")
        self.cubin("a.sm_90.cubin", "grid_stride", listing("grid_stride").read_text().replace("/build/", f"{ROOT}/"))
        self.assertGreater(self.used()["confirmed"], 0)

    def test_no_cuobjdump(self):
        (self.root / "bin" / "cuobjdump").unlink()
        if pathlib.Path("/usr/local/cuda/bin/cuobjdump").exists() or pathlib.Path("/usr/bin/cuobjdump").exists():
            self.skipTest("this machine has one")
        self.refused("no cuobjdump found, which takes machine code out of")

    def test_the_same_kernel_twice(self):
        self.cubin("c.sm_90.cubin", "grid_stride")
        self.assertGreater(self.used()["confirmed"], 0)

    def test_two_kernels_of_one_name(self):
        self.cubin("c.sm_90.cubin", "grid_stride", listing("grid_stride").read_text().replace("0x4", "0x8"))
        done = lint(f"--as-compiled={self.library}", "kernels/grid_stride.cu", env=self.env)
        self.assertIn("the machine code has 2 kernels of this name, which differ: name the object file of this source", done.stderr)
        self.assertNotIn("confirmed, 1", done.stdout)

    def test_kernels_of_one_name_of_other_files(self):
        self.cubin("c.sm_90.cubin", "grid_stride", listing("grid_stride").read_text().replace("0x4", "0x8").replace("grid_stride.cu", "elsewhere.cu"))
        self.assertGreater(self.used()["confirmed"], 0)

    def test_truncated(self):
        self.library.write_bytes(b"\x7fELF\x02")
        self.tool("nvdisasm", 'echo "nvdisasm fatal : Object file appears truncated" >&2; exit 1')
        self.refused(f"cannot read {self.library}: nvdisasm fatal : Object file appears truncated")

    def test_something_else(self):
        self.library.write_bytes(b"\x00\x01\x02" * 50)
        self.refused("is no listing, no cubin, and nothing that cuobjdump finds cubins in")

    def test_larger_than_memory(self):
        with self.library.open("r+b") as file:
            file.truncate(2 << 30)  # a hole
        self.assertGreater(self.used()["confirmed"], 0)


class Mistakes(unittest.TestCase):
    def refused(self, text, *arguments, code=2):
        done = lint(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)

    def with_listing(self, text, contents, name="grid_stride"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(contents)
            self.refused(text, f"--as-compiled={path}", f"kernels/{name}.cu")

    def test_no_such_listing(self):
        self.refused("/nowhere/k.sass: No such file or directory", "--as-compiled=/nowhere/k.sass", "kernels/grid_stride.cu")

    def test_not_a_listing(self):
        self.refused(": not a listing of nvdisasm; `nvdisasm -gi k.cubin` makes one", f"--as-compiled={ROOT}/kernels/grid_stride.cu", "kernels/grid_stride.cu")

    def test_a_truncated_listing(self):
        text = listing("grid_stride").read_text()
        code = text.index("STG")
        self.with_listing("breaks off within an instruction", text[:code + 10])
        self.with_listing("breaks off in function", text[:text.rindex("\n", 0, code) + 1])

    def test_no_line_information(self):
        text = "".join(line for line in listing("grid_stride").read_text().splitlines(True) if "//## File" not in line)
        self.with_listing("has no line information: nvcc needs -lineinfo and nvdisasm -gi", text)

    def test_another_architecture(self):
        self.refused("the machine code is of sm_90 and what is modelled is sm_80: --arch=sm_90 models it", f"--as-compiled={listing('grid_stride')}", "--arch=sm_80", "kernels/grid_stride.cu")

    def test_another_program(self):
        self.refused("has none of this file's kernels; its first function is", f"--as-compiled={listing('bitonic_sort')}", "kernels/grid_stride.cu")

    def test_another_file_with_the_same_kernel(self):
        self.with_listing("was compiled from other files", listing("grid_stride").read_text().replace("grid_stride.cu", "elsewhere.cu"))

    def test_a_kernel_that_is_missing_is_named(self):
        text = listing("gemm_tiled_conflict").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text.replace("_Z26gemm_tiled_conflict_rolledPKfS0_Pfiii", "_Z5otherv"))
            done = lint(f"--as-compiled={path}", "kernels/gemm_tiled_conflict.cu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("warning: --as-compiled: gemm_tiled_conflict_rolled is not settled: the machine code has no kernel of this name", done.stderr)

    def test_code_that_cannot_be_followed_claims_nothing(self):
        text = listing("grid_stride").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text.replace("LDC R1, c[0x0][0x28] ;", "BRX R2 -0x10 ;"))
            done = lint(f"--as-compiled={path}", "kernels/grid_stride.cu")
            self.assertIn("is not settled: a computed branch (BRX)", done.stderr)
            self.assertIn(" 0 exact", done.stdout)

    def test_a_listing_of_another_version_of_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            moved = pathlib.Path(folder, "grid_stride.cu")
            moved.write_text("\n\n" + (ROOT / "kernels" / "grid_stride.cu").read_text().replace('"catalogue.h"', f'"{ROOT}/kernels/catalogue.h"'))
            self.refused("the machine code is of another version of the source: the kernel is at line", f"--as-compiled={listing('grid_stride')}", moved)

    def test_a_listing_behind_a_space(self):
        self.refused("'k.sass' is no source file; `--as-compiled=k.sass` takes it as machine code", "--as-compiled", "k.sass", "kernels/grid_stride.cu")

    def test_what_excludes_it(self):
        one = f"--as-compiled={listing('grid_stride')}"
        self.refused("excludes --fix", one, "--fix", "kernels/grid_stride.cu")
        self.refused("not standard input", one, "-")
        self.refused("was made of one: --as-compiled has nvcc compile both", "diff", one, "HEAD")
        self.refused("no file is named", "--as-compiled")


class Mutated(unittest.TestCase):
    """Listings with words exchanged, lines lost and repeated: an answer or an error, never a crash."""

    COUNT = 40

    @staticmethod
    def mutate(lines, rng):
        lines = list(lines)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(lines))
            choice = rng.randrange(5)
            if choice == 0:
                del lines[at]
            elif choice == 1:
                lines.insert(at, lines[rng.randrange(len(lines))])
            elif choice == 2:
                lines[at] = re.sub(r"\b(R|UR|P)\d+", lambda match: match[1] + str(rng.choice([0, 1, 7, 63, 254, 255])), lines[at])
            elif choice == 3:
                lines[at] = re.sub(r"0x[0-9a-f]+", lambda match: hex(rng.choice([0, 1, 31, 32, 255, 0x7fffffff, 0xffffffff, 1 << 60])), lines[at])
            else:
                words = lines[at].split(" ")
                rng.shuffle(words)
                lines[at] = " ".join(words)
        return "\n".join(lines) + "\n"

    def test_all(self):
        names = ["grid_stride", "bitonic_sort", "reduction_shuffle", "histogram"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            for seed in range(self.COUNT):
                name = names[seed % len(names)]
                path.write_text(self.mutate(listing(name).read_text().splitlines(), random.Random(seed)))
                done = lint(f"--as-compiled={path}", "--max-steps=200000", f"kernels/{name}.cu")
                with self.subTest(seed):
                    self.assertIn(done.returncode, (0, 2), done.stderr)
                    self.assertNotIn("internal error", done.stderr)


class Recorded(unittest.TestCase):
    """Kernels against the counters that were measured on a GPU: every row is exact or unknown."""

    def test_all(self):
        validate = os.environ["SMEM_VALIDATE"]
        names = sorted(path.stem for path in (HERE / "data").glob("*.sass") if (ROOT / "kernels" / f"{path.stem}.cu").exists())  # those of sm_90
        self.assertGreater(len(names), 10)
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                predicted = pathlib.Path(folder, f"{name}.json")
                predicted.write_text(json.dumps(report(name)))
                done = subprocess.run([validate, "compare", predicted, f"validate/recorded/catalogue/{name}.jsonl", "--format=json"], cwd=ROOT, capture_output=True, text=True, check=False)
                summary = json.loads(done.stdout)["summary"]
                with self.subTest(name):
                    self.assertGreater(summary["rows"], 0)
                    self.assertEqual((summary["mismatch"], summary["false_claims"]), (0, 0))


if __name__ == "__main__":
    LINT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
