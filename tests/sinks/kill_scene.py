"""A folder in which runs of smem-lint write a cache, a baseline, reports and repairs, and what must hold of it after any of them was killed."""
import json
import os
import pathlib
import re
import subprocess

KERNEL = """// smem-lint: launch block=(32,32) grid=(2,2)
__global__ void transpose_{0}(float *out, const float *in) {{
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}}
"""
FILES = ("a.cu", "b.cu")
TEMPORARY = re.compile(r"\..*\.\d+\.smem-lint-tmp")
SAFETY_SECONDS = 240

KEEP = ("--cache-dir=cache", "--baseline=baseline.json", "--update-baseline", "--format=json", "-o", "report.json", *FILES)
REPAIR = ("--fix", "--export-fixes=fixes.yaml", "--format=sarif", "-o", "report.sarif", *FILES)
RUNS = (KEEP, REPAIR)


class KillScene:
    def __init__(self, smem_lint, folder):
        self.smem_lint, self.folder = os.path.abspath(smem_lint), pathlib.Path(folder)
        self.reset()
        self.wanted = {}
        for arguments in RUNS:  # what undisturbed runs leave
            self.reset()
            done = self.run(arguments)
            assert done.returncode in (0, 1) and done.stderr.count("\n") <= 1, done.stderr
            self.wanted[arguments] = {path: self.read(path) for path in self.outputs()}
        self.reset()

    def reset(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (self.folder / ".git").mkdir()
        for name in FILES:
            (self.folder / name).write_text(KERNEL.format(name[0]))

    def read(self, path):
        return (self.folder / path).read_bytes()

    def outputs(self):
        return sorted(path.name for path in self.folder.iterdir() if path.is_file() and not TEMPORARY.fullmatch(path.name))

    def environment(self, **more):
        return {**os.environ, "NO_COLOR": "1", "SMEM_LINT_CACHE_KEY": "of the tests, not a user's", **more}

    def start(self, arguments, **variables):
        return subprocess.Popen([self.smem_lint, "--cuda-path=none", "-j1", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment(**variables))

    def run(self, arguments, **variables):
        process = self.start(arguments, **variables)
        out, err = process.communicate(timeout=SAFETY_SECONDS)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def check(self, arguments):
        """After a run that was disturbed: every file is an old or a new one, and another run ends as if nothing had been."""
        old = {name: KERNEL.format(name[0]).encode() for name in FILES}
        for name in self.outputs():
            text = self.read(name)
            assert text in (self.wanted[arguments].get(name), old.get(name)), f"{name} is neither the old nor the new file: {text[:200]}"
        for path in self.folder.rglob("*"):
            relative = path.relative_to(self.folder)
            known = relative.name in self.wanted[arguments] or TEMPORARY.fullmatch(relative.name) or relative.parts[0] in (".git", "cache")
            assert known, f"{relative} is left"
        again = self.run(arguments)
        assert again.returncode in (0, 1) and "warning: the cache" not in again.stderr, again.stderr
        for name, text in self.wanted[arguments].items():
            if arguments is KEEP or name in FILES:
                assert self.read(name) == text, f"{name} differs after another run"
        if arguments is KEEP:
            json.loads(self.read("baseline.json"))
