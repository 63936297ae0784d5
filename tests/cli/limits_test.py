#!/usr/bin/env python3
"""Limits of time, progress, and threads: limits_test.py SMEM_LINT [unittest arguments].

Nothing is timed: a limit of a thousandth of a second is over whenever a phase begins, as Clang alone takes longer.
"""
import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"

KERNELS = """\
template <int kStride> __global__ void strided(float *out, int n) {
  __shared__ float tile[32 * 33];
  for (int i = 0; i < n; ++i) tile[threadIdx.x * kStride] = i;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
void run(float *out) {
  strided<1><<<1, 32>>>(out, 100);
  strided<2><<<1, 32>>>(out, 100);
  strided<32><<<4, 32>>>(out, 100);
  strided<33><<<4, 32>>>(out, 7);
}
"""


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("a.cu", "b.cu"):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(KERNELS)

    def run_lint(self, *arguments):
        return subprocess.run([SMEM_LINT, "--cuda-path=none", *arguments], cwd=self.folder, text=True, capture_output=True, timeout=120, check=False)

    def test_what_is_not_analysed_is_said(self):
        for arguments in ((), ("--quiet",)):
            result = self.run_lint("--timeout=0.001", *arguments, "a.cu", "b.cu")
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            for name in ("a.cu", "b.cu"):
                self.assertIn(f"{name}: error: not analysed: time limit of 0.001 s (--timeout)", result.stderr)
            self.assertNotIn("no kernel in this file", result.stderr)

    def test_formats_say_it_too(self):
        report = json.loads(self.run_lint("--timeout=0.001", "--format=json", "a.cu").stdout)
        self.assertEqual(report["launches"], [])
        self.assertIn("not analysed: time limit of 0.001 s (--timeout)", [d["message"] for d in report["diagnostics"]])

    def test_no_limit_leaves_nothing_to_repair(self):
        conflict = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "kernels", "gemm_tiled_conflict.cu")
        for limit in ("0.05", "0.1", "0.2", "0.25", "0.3", "0.35", "0.4", "0.5", "60"):  # before, within and after the search for repairs
            result = self.run_lint("--diff", "--timeout", limit, conflict)
            self.assertEqual(result.returncode, 1 if "+++ " in result.stdout else 2, result.stdout + result.stderr)

    def test_nothing_of_it_is_kept(self):
        cache = "--cache-dir=" + os.path.join(self.folder, "cache")
        self.assertEqual(self.run_lint("--timeout=0.001", cache, "a.cu").returncode, 2)
        complete = self.run_lint(cache, "--format=json", "a.cu")
        self.assertEqual(len(json.loads(complete.stdout)["launches"]), 4)
        self.assertEqual(self.run_lint(cache, "--format=json", "a.cu").stdout, complete.stdout)

    def test_without_a_limit(self):
        complete = self.run_lint("--format=json", "a.cu")
        self.assertEqual(complete.returncode, 1, complete.stderr)
        for limit in ("0", "60", "1e6"):
            self.assertEqual(self.run_lint("--format=json", "--timeout", limit, "a.cu").stdout, complete.stdout)

    def test_what_is_no_limit(self):
        for wrong in ("-1", "soon", "1s", "", "nan", "1e10"):
            result = self.run_lint(f"--timeout={wrong}", "a.cu")
            self.assertEqual(result.returncode, 2, wrong)
            self.assertIn("--timeout", result.stderr)

    def test_threads_do_not_matter(self):
        alone = self.run_lint("--format=json", "-j1", "a.cu", "b.cu")
        for jobs in ("-j2", "-j8"):
            result = self.run_lint("--format=json", jobs, "a.cu", "b.cu")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (alone.returncode, alone.stdout, alone.stderr))

    def on_terminal(self, *arguments):
        """What is written to a terminal as standard error."""
        ours, theirs = pty.openpty()
        try:
            process = subprocess.Popen([SMEM_LINT, "--cuda-path=none", *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            seen = b""
            while True:
                try:
                    more = os.read(ours, 1 << 16)
                except OSError:  # Linux: nobody writes any more
                    break
                if not more:
                    break
                seen += more
            process.wait(timeout=120)
        finally:
            os.close(ours)
        return seen.decode()

    def test_progress_on_a_terminal_only(self):
        seen = self.on_terminal("-j1", "a.cu", "b.cu")
        for part in ("[1/2] a.cu (", "[2/2] b.cu (", " s): compiling", "launch 1 of 4, strided<1>", "launch 4 of 4, strided<33>"):
            self.assertIn(part, seen)
        self.assertTrue(seen.endswith("\r\x1b[K"), repr(seen[-80:])) # nothing of it is left
        self.assertNotIn("compiling", self.on_terminal("--quiet", "-j1", "a.cu", "b.cu"))
        self.assertNotIn("compiling", self.run_lint("-j1", "a.cu", "b.cu").stderr)


if __name__ == "__main__":
    unittest.main()
