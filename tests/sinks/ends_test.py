#!/usr/bin/env python3
"""Runs that end before their time (killed, Ctrl-C, a terminal that closes) leave neither processes nor temporary files; folders that cannot be
written to; many jobs in little memory: ends_test.py SMEM_LINT.

The toolkit is one that pretends: its nvcc starts a program that reads what nobody writes, as cicc and ptxas are started, and says so. This
process adopts what loses its parent, so that waiting for all of them shows who is left.
"""
import ctypes
import os
import pathlib
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
PR_SET_CHILD_SUBREAPER = 36
NVCC = """#!/bin/sh
[ "$1" = --version ] && exec echo "Cuda compilation tools, release 13.0, V13.0.88"
: > "$TMPDIR/tmpxft_of_nvcc"
cat "$NOBODY_WRITES" &
echo started > "$STARTED"
wait
"""
KERNEL = """// smem-lint: launch block=32 grid=1
__global__ void k(int *p) { p[threadIdx.x * 2] = 1; }
"""


def sanitized():
    return b"__asan_init" in pathlib.Path(SMEM_LINT).read_bytes() or b"__tsan_init" in pathlib.Path(SMEM_LINT).read_bytes()


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            raise unittest.SkipTest("no subreaper here")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("toolkit/bin", "toolkit/include", "tmp", "source"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "source" / "a.cu").write_text(KERNEL)
        (self.folder / "toolkit" / "include" / "cuda_runtime.h").write_text("")
        for name in ("nvcc", "nvdisasm"):
            (self.folder / "toolkit" / "bin" / name).write_text(NVCC)
            (self.folder / "toolkit" / "bin" / name).chmod(0o755)
        self.environment = {**os.environ, "NO_COLOR": "1", "TMPDIR": str(self.folder / "tmp")}
        for name in ("STARTED", "NOBODY_WRITES"):
            os.mkfifo(self.folder / name)
            self.environment[name] = str(self.folder / name)
        for name in ("CUDA_PATH", "CUDA_HOME"):
            self.environment[name] = str(self.folder / "toolkit")

    def start(self):
        """A run on a terminal of its own whose nvcc is at work; its process and the other end of the terminal."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder / "source")
            os.execve(SMEM_LINT, [SMEM_LINT, "--cuda-path=none", "--arch=sm_90", "--as-compiled", "a.cu"], self.environment)
        with open(self.folder / "STARTED", encoding="utf-8") as started:
            self.assertEqual(started.read(), "started\n")
        self.assertEqual([path.name for path in (self.folder / "tmp").rglob("tmpxft*")], ["tmpxft_of_nvcc"])
        return process, terminal

    def nothing_is_left(self, process, wanted):
        status = os.waitpid(process, 0)[1]
        self.assertTrue(os.WIFSIGNALED(status), status)
        self.assertEqual(os.WTERMSIG(status), wanted)
        with self.assertRaises(ChildProcessError):  # returns when all have ended
            while True:
                os.wait()
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertEqual(sorted(path.name for path in (self.folder / "source").iterdir()), ["a.cu"])

    def test_killed(self):
        process, terminal = self.start()
        os.kill(process, signal.SIGKILL)
        self.nothing_is_left(process, signal.SIGKILL)
        os.close(terminal)

    def test_told_to_end(self):
        process, terminal = self.start()
        os.kill(process, signal.SIGTERM)
        self.nothing_is_left(process, signal.SIGTERM)
        os.close(terminal)

    def test_interrupted_from_the_keyboard(self):
        process, terminal = self.start()
        os.write(terminal, b"\x03")
        self.nothing_is_left(process, signal.SIGINT)
        os.close(terminal)

    def test_a_terminal_that_closes(self):
        process, terminal = self.start()
        os.close(terminal)
        self.nothing_is_left(process, signal.SIGHUP)

    def lint(self, *arguments, **more):
        return subprocess.run([SMEM_LINT, "--cuda-path=none", "--arch=sm_90", *arguments], cwd=self.folder / "source", capture_output=True, text=True, check=False,
                              env={**self.environment, "SMEM_LINT_CACHE_KEY": "of the tests, not a user's"}, **more)

    def test_a_folder_that_cannot_be_written_to(self):
        more = {}
        if os.geteuid() == 0:  # who may do everything
            more = {"user": 65534, "group": 65534, "extra_groups": []}
            self.folder.chmod(0o755)
        try:
            self.lint("--version", **more)
        except PermissionError:
            self.skipTest("nobody else can run this smem-lint")
        source = self.folder / "source"
        before = sorted(path.name for path in source.iterdir())
        source.chmod(0o555)
        self.addCleanup(source.chmod, 0o755)
        for arguments, name in ((("-o", "report.json", "--format=json"), "report.json"), (("--baseline=b.json", "--update-baseline"), "b.json"), (("--shard=1/1", "-o", "p"), "p")):
            done = self.lint(*arguments, "a.cu", **more)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(name, done.stderr)
            self.assertIn("Permission denied", done.stderr)
        self.lint("--cache-dir=cache", "a.cu", **more)
        self.assertEqual(sorted(path.name for path in source.iterdir()), before)

    def test_many_jobs_in_little_memory(self):
        if sanitized():
            self.skipTest("sanitizers reserve address space")
        names = [f"f{i}.cu" for i in range(64)]
        for name in names:
            (self.folder / "source" / name).write_text(KERNEL)
        done = self.lint("-j64", "--format=json", *names, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        for name in names if done.returncode == 2 else ():  # analysed, or said why not
            self.assertTrue(f'"{name}"' in done.stdout or name in done.stderr, name)


if __name__ == "__main__":
    unittest.main()
