"""The scene of an attack: a repository that a stranger wrote, a folder of the victim beside it, and one run of the tool.

A case is data where it can be: what the repository has, how the tool is called, what it has to say. Whatever a case says, it fails
when the run
- changes, adds or removes anything in the victim's folder (contents, kinds, permissions, times of change),
- runs or loads anything of the repository's (every program of the scene and the plugin leave a mark in the victim's folder),
- writes into the repository, but for what the case allows,
- leaves files in the temporary folder,
- dies of a signal, hangs, or says `internal error`.

Texts of a case may have {repository}, {victim}, {plugin} and {tools} in them, which are folders of the scene (the plugin: a file).
"""
import dataclasses
import fnmatch
import json
import os
import pathlib
import stat
import subprocess
import tempfile
import typing

SAFETY_SECONDS = 240  # ends what hangs; nothing here needs a fraction of it

# A kernel that has to be analysed in spite of the attack.
GOOD = """// smem-lint: launch block=(32) grid=(2)
__global__ void good(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x][0];
}
"""


@dataclasses.dataclass(frozen=True)
class Link:
    """A symbolic link of the repository."""
    target: str


@dataclasses.dataclass(frozen=True)
class Program:
    """An executable script of the scene. It leaves a mark that it ran, then does what `script` says."""
    script: str = ""


@dataclasses.dataclass(frozen=True)
class Attack:
    name: str
    files: dict = dataclasses.field(default_factory=dict)  # of the repository: path -> str, bytes, Link or Program; kernel.cu is GOOD unless it is here
    arguments: tuple = ("kernel.cu",)                       # of smem-lint, in the repository
    says: tuple = ()          # all of these stand in one line of what it prints
    silent: tuple = ()        # none of these is printed at all
    code: typing.Any = (0, 1, 2)  # the exit code, or those that will do
    analysed: bool = False    # the good kernel is in the report
    writes: tuple = ()        # globs over paths in the repository that may be written
    tools: dict = dataclasses.field(default_factory=dict)   # programs of the user, before all others on the path; they leave no mark
    environment: dict = dataclasses.field(default_factory=dict)
    stdin: str = ""
    git: bool = False         # the repository is one of git's, everything committed
    check: typing.Callable = None  # check(test, scene, result): whatever else has to hold
    skip: str = ""            # why it cannot run here


class Result:
    def __init__(self, done):
        self.code, self.raw_out, self.raw_err = done.returncode, done.stdout, done.stderr
        self.out, self.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out[-3000:]}\n--- stderr\n{self.err[-3000:]}"


def snapshot(folder):
    """What is in a folder: for each path its kind and permissions, its contents or target, and when it changed."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            at = os.path.join(path, name)
            info = os.lstat(at)
            text = os.readlink(at) if stat.S_ISLNK(info.st_mode) else pathlib.Path(at).read_bytes() if stat.S_ISREG(info.st_mode) else None
            found[os.path.relpath(at, folder)] = (info.st_mode, text, 0 if stat.S_ISDIR(info.st_mode) else info.st_mtime_ns)
    return found


class Scene:
    prefixes = ""  # a folder with the shipped headers, parsed before; none: every scene parses them

    def __init__(self, smem_lint, plugin, folder):
        self.smem_lint, self.plugin = smem_lint, plugin
        self.folder = pathlib.Path(folder).resolve()
        self.repository, self.victim, self.tools, self.temporary = (self.folder / name for name in ("repository", "victim", "tools", "tmp"))
        for made in (self.repository, self.victim, self.tools, self.temporary, self.folder / "home"):
            made.mkdir()
        (self.victim / "precious").write_text("precious\n")
        (self.victim / "empty").mkdir()
        (self.victim / "script.sh").write_text("#!/bin/sh\n")
        (self.victim / "script.sh").chmod(0o755)

    def text(self, text):
        for name in ("repository", "victim", "tools", "plugin"):
            text = text.replace("{" + name + "}", str(getattr(self, name)))
        return text

    def write(self, path, contents):
        """`path` is absolute, or one of the repository."""
        at = self.repository / path
        at.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(contents, Link):
            at.symlink_to(self.text(contents.target))
        elif isinstance(contents, Program):
            at.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.victim}/executed\n{self.text(contents.script)}\n')
            at.chmod(0o755)
        elif isinstance(contents, bytes):
            at.write_bytes(contents)
        else:
            at.write_text(self.text(contents if isinstance(contents, str) else json.dumps(contents)))

    def git(self, *arguments):
        identity = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "init.defaultBranch=main", "-c", "core.hooksPath=/dev/null")
        subprocess.run(["git", *identity, *arguments], cwd=self.repository, check=True, capture_output=True, env=self.environment())

    def environment(self, more=None):
        kept = {key: value for key, value in os.environ.items()
                if key in ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE")}
        path = f"{self.tools}:{os.environ.get('PATH', '/usr/bin:/bin')}"
        return {**kept, "PATH": path, "HOME": str(self.folder / "home"), "TMPDIR": str(self.temporary), "NO_COLOR": "1",
                "SMEM_LINT_PREFIXES": self.prefixes, "GIT_CONFIG_NOSYSTEM": "1", "SMEM_LINT_ATTACK_MARK": str(self.victim / "executed"),
                **{key: self.text(value) for key, value in (more or {}).items()}}

    def run(self, *arguments, environment=None, stdin="", limits=None):
        """One run in the repository, with the headers that belong to smem-lint unless a toolkit is named."""
        words = [self.text(argument) for argument in arguments]
        shipped = [] if any(word.startswith("--cuda-path") for word in words) else ["--cuda-path=none"]
        subcommand = [words.pop(0)] if words and words[0] in ("diff", "merge") else []
        done = subprocess.run([self.smem_lint, *subcommand, *shipped, *words], cwd=self.repository, input=stdin.encode(), capture_output=True,
                              timeout=SAFETY_SECONDS, check=False, env=self.environment(environment), preexec_fn=limits)
        return Result(done)


def precompile(smem_lint, folder):
    """Parses the shipped headers for all scenes, as an installation does. Flags of an attack that these do not fit make another one."""
    done = subprocess.run([smem_lint, "--build-prefix", "--quiet", "--cuda-path=none"], env={**os.environ, "SMEM_LINT_PREFIXES": folder}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    Scene.prefixes = folder


def perform(test, attack, smem_lint, plugin):
    """Sets the scene, runs the tool, looks at what is left. `test` is a unittest.TestCase."""
    if attack.skip:
        test.skipTest(attack.skip)
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(smem_lint, plugin, folder)
        for path, contents in {"kernel.cu": GOOD, **attack.files}.items():
            scene.write(path, contents)
        for name, script in attack.tools.items():
            (scene.tools / name).write_text("#!/bin/sh\n" + scene.text(script) + "\n")
            (scene.tools / name).chmod(0o755)
        if attack.git:
            scene.git("init", "-q")
            scene.git("add", "-A")
            scene.git("commit", "-q", "-m", "all")
        before = {place: snapshot(place) for place in (scene.victim, scene.repository)}
        result = scene.run(*attack.arguments, environment=attack.environment, stdin=attack.stdin)
        look(test, attack, scene, before, result)


def look(test, attack, scene, before, result):
    executed = scene.victim / "executed"
    test.assertFalse(executed.exists(), f"executed: {executed.read_text() if executed.exists() else ''}\n{result}")
    test.assertEqual(snapshot(scene.victim), before[scene.victim], f"the victim's folder has changed\n{result}")
    after = snapshot(scene.repository)
    changed = sorted(path for path in {**after, **before[scene.repository]} if after.get(path) != before[scene.repository].get(path))
    unexpected = [path for path in changed if not any(fnmatch.fnmatch(path, glob) for glob in attack.writes)]
    test.assertEqual(unexpected, [], f"the repository has changed\n{result}")
    test.assertEqual(os.listdir(scene.temporary), [], f"files are left in the temporary folder\n{result}")
    test.assertIn(result.code, (0, 1, 2), f"killed\n{result}")
    for text in ("internal error", "PLEASE submit a bug report", *attack.silent):
        test.assertNotIn(scene.text(text), result.err + result.out, str(result))
    test.assertIn(result.code, attack.code if isinstance(attack.code, tuple) else (attack.code,), str(result))
    if attack.says:
        needles = [scene.text(text) for text in attack.says]
        test.assertTrue(any(all(needle in line for needle in needles) for line in (result.err + result.out).splitlines()), f"no line with {needles}\n{result}")
    if attack.analysed:
        test.assertIn("good", result.out, f"the good kernel is not in the report\n{result}")
    if attack.check:
        attack.check(test, scene, result)
