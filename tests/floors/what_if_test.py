#!/usr/bin/env python3
"""--what-if as its users meet it: what_if_test.py SMEM_LINT [unittest arguments]."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/schema/smem-lint-what-if-1.schema.json"

KERNEL = """\
constexpr int TILE = 32;  // TILE = 7 is no code
#ifndef ROUNDS
#define ROUNDS 4
#endif
__global__ void rows(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE], flat[TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  if (y == 0)
    flat[x] = in[x];
  tile[y][x] = in[(blockIdx.x * TILE + y) * TILE + x];
  __syncthreads();
  float sum = flat[y];
  for (int i = 0; i < ROUNDS; ++i)
    sum += tile[x][(y + i) % TILE];
  out[(blockIdx.x * TILE + y) * TILE + x] = sum;
}
int main() {
  float *out, *in;
  cudaMalloc(&out, 1 << 26);
  cudaMalloc(&in, 1 << 26);
  rows<<<4096 * 1024 / (TILE * TILE), dim3(TILE, TILE)>>>(out, in, 1024);
}
"""


class WhatIf(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write(KERNEL)

    def write(self, text):
        with open(os.path.join(self.folder, "k.cu"), "w", encoding="utf-8") as file:
            file.write(text)

    def lint(self, code, *changes, more=()):
        command = [SMEM_LINT, "--cuda-path=none", *(f"--what-if={change}" for change in changes), *more, "k.cu"]
        done = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def variants(self, *changes, more=()):
        report = json.loads(self.lint(0, *changes, more=("--format=json", *more)))
        try:
            import jsonschema
            jsonschema.validate(report, json.loads(SCHEMA.read_text(encoding="utf-8")))
        except ImportError:
            pass
        return report, report["variants"]

    def test_a_pitch(self):
        report, (base, padded) = self.variants("tile pitch=33")
        self.assertEqual((base["variant"], padded["variant"], report["best"]), ("", "tile pitch=33", 1))
        self.assertEqual(base["launches"][0]["shared_bytes"] + 4 * 32, padded["launches"][0]["shared_bytes"])
        # 4,096 blocks of 32 warps: 4 loads of 32 wavefronts each become 4 of one.
        self.assertEqual(base["launches"][0]["wavefronts"] - padded["launches"][0]["wavefronts"], 4096 * 32 * 4 * 31)
        self.assertGreater(base["floor_ns"], 5 * padded["floor_ns"])
        with open(os.path.join(self.folder, "k.cu"), encoding="utf-8") as file:
            self.assertEqual(file.read(), KERNEL)  # nothing is written

    def test_another_size_is_not_better(self):
        self.write(KERNEL.replace("rows<<<4096 *", "constexpr int N = 4096;\n  rows<<<N *"))
        report, variants = self.variants("N=1024,4096", "tile pitch=33")
        self.assertEqual([(v["variant"], v["same_work"]) for v in variants],
                         [("", True), ("N=1024, tile pitch=33", False), ("N=4096, tile pitch=33", True)])
        self.assertLess(variants[1]["floor_ns"], variants[2]["floor_ns"])
        self.assertEqual(report["best"], 2)
        self.assertIn("other work (4x less data)", self.lint(0, "N=1024"))
        self.assertIn("best: as it is", self.lint(0, "N=1024"))

    def test_a_constant_a_macro_and_their_combinations(self):
        report, variants = self.variants("TILE=16,32", "ROUNDS=2..4 step 2")
        self.assertEqual([v["variant"] for v in variants], ["", "TILE=16, ROUNDS=2", "TILE=16, ROUNDS=4", "TILE=32, ROUNDS=2", "TILE=32, ROUNDS=4"])
        base, small, _, fewer, same = variants
        self.assertEqual(small["launches"][0]["block"], [16, 16, 1])
        self.assertEqual(same["launches"], base["launches"])
        self.assertLess(fewer["launches"][0]["wavefronts"], base["launches"][0]["wavefronts"])
        self.assertIsNotNone(report["best"])

    def test_a_macro_that_only_a_condition_names(self):
        self.write(KERNEL.replace("#define ROUNDS 4\n", "constexpr int FEW = 4;\n#else\nconstexpr int FEW = ROUNDS;\n").replace("i < ROUNDS", "i < FEW"))
        _, (base, more) = self.variants("ROUNDS=8")
        self.assertGreater(more["launches"][0]["wavefronts"], base["launches"][0]["wavefronts"])

    def test_a_launch(self):
        _, (base, half) = self.variants("block=(32,16) grid=4096")
        self.assertEqual(half["launches"][0]["block"], [32, 16, 1])
        self.assertLess(half["launches"][0]["wavefronts"], base["launches"][0]["wavefronts"])
        _, variants = self.variants("rows:block=(32,8),(32,16)")
        self.assertEqual([v["launches"][0]["block"] for v in variants[1:]], [[32, 8, 1], [32, 16, 1]])

    def test_a_parameter(self):
        _, (base, other) = self.variants("n=2048")
        self.assertEqual(base["launches"], other["launches"])

    def test_bad_variants_say_why_and_are_not_the_best(self):
        text = self.lint(0, "TILE=64,32", more=("--table",))
        self.assertIn("TILE=64: ", text)
        self.assertIn("[launch-limit]", text)  # 4,096 threads a block
        self.assertIn("best: ", text)
        self.assertNotIn("best: TILE=64", text)
        report, variants = self.variants("TILE=oops,32")
        self.assertIn("undeclared identifier 'oops'", variants[1]["error"])
        self.assertEqual((variants[1]["launches"], variants[1]["floor_ns"]), ([], None))
        self.assertNotEqual(report["best"], 1)
        text = self.lint(0, "tile pitch=16,33")  # columns from 16 on are those of the next row
        self.assertIn("best: tile pitch=33: its floor is ", text)

    def test_text(self):
        text = self.lint(0, "tile pitch=33,34")
        lines = text.splitlines()
        self.assertEqual(len(lines), 5)
        self.assertRegex(lines[1], r"^as it is +rows +\(4096\) \(32,32\) ")
        self.assertRegex(lines[2], r"^tile pitch=33 .* lower$")
        self.assertRegex(lines[4], r"^best: tile pitch=33: its floor is [0-9.]+x lower$")

    def test_what_cannot_be_asked(self):
        for change, error in (
            ("TILE", "'Bs pitch=33', 'block=(32,8)' or 'TILE=64' is needed"),
            ("TILE=", "is needed"),
            ("TILE=1,,2", "a value is missing"),
            ("TILE=9..1", "empty range"),
            ("TILE=1..9 step 0", "empty range"),
            ("TILE=1..999", "more than 256 values"),
            ("block=(32,8", "--what-if 'block=(32,8'"),
            ("block=0", "--what-if 'block=0'"),
            ("a b pitch=3", "is needed"),
        ):
            self.assertIn(error, self.lint(2, change), change)
        self.assertIn("more than 256 combinations", self.lint(2, "TILE=1..20", "ROUNDS=1..20"))
        for change, error in (
            ("flat pitch=33", "has one dimension"),
            ("other pitch=33", "none of the files declares a shared array 'other'"),
            ("NOTHING=3", "NOTHING"),
        ):
            self.assertIn(error, self.both(change), change)
        for option in ("--fix", "--baseline=b.json", "--format=sarif", "--as-compiled"):
            self.lint(2, "TILE=16", more=(option,))
        self.write("__global__ void k( {")
        self.assertIn("the sources as they are", self.lint(2, "TILE=16"))

    def both(self, change):
        command = [SMEM_LINT, "--cuda-path=none", f"--what-if={change}", "k.cu"]
        done = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stdout + done.stderr


if __name__ == "__main__":
    unittest.main()
