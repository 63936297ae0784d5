#!/usr/bin/env python3
"""`smem-lint --watch`: watch_test.py SMEM_LINT."""
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

TOOL = None
SECONDS = 120  # against hanging
KERNEL = """\
#include "width.h"
__global__ void columns(float *out) {
  __shared__ float tile[32][WIDTH];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() { columns<<<1, dim3(32, 32)>>>(nullptr); }
"""
OTHER = "__global__ void copy(float *out) { out[threadIdx.x] = 1; }\nint main() { copy<<<1, 32>>>(nullptr); }\n"


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("k.cu", KERNEL)
        self.write("other.cu", OTHER)
        self.write("inc/width.h", "#define WIDTH 32\n")

    def write(self, name, text):
        """As editors do: another file that is renamed."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)

    def start(self, *arguments):
        self.lines = queue.Queue()
        self.process = subprocess.Popen([TOOL, "--watch", "--cuda-path=none", *arguments, "--", "-Iinc"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()

    def round(self):
        """What is printed until it waits."""
        text = ""
        while not text.endswith("watching; Ctrl-C ends\n"):
            text += self.lines.get(timeout=SECONDS)
        return text

    def test_what_changes_is_analysed_again(self):
        self.start("k.cu", "other.cu")
        first = self.round()
        self.assertIn("32-way bank conflict", first)
        self.assertIn("in 2 files", first)
        self.write("inc/width.h", "#define WIDTH 33\n")
        again = self.round()
        self.assertIn("changed: inc/width.h\n", again)
        self.assertIn("no findings in 1 file, 1 kernel", again)
        self.write("notes.txt", "nothing\n")  # of no file
        self.write("k.cu", KERNEL.replace("__syncthreads();", "__syncthreads(;"))
        self.assertIn("k.cu:5:17: error: expected expression", self.round())
        self.write("k.cu", KERNEL)
        self.assertIn("no findings in 1 file", self.round())
        self.write(".smem-lint.yaml", "Checks: '*'\n")
        self.assertIn("in 2 files", self.round())

    def test_a_new_file_of_a_folder(self):
        self.start(".")
        self.assertIn("in 2 files", self.round())
        self.write("new.cu", OTHER.replace("copy", "another"))
        self.assertIn("in 3 files", self.round())

    def test_bad_input(self):
        for arguments in (["--watch"], ["--watch", "--fix", "k.cu"], ["--watch", "-"], ["--watch", "diff", "main"], ["--watch", "nowhere/k.cu"]):
            done = subprocess.run([TOOL, *arguments], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn("error: ", done.stderr)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv.pop(1))
    unittest.main()
