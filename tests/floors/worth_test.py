#!/usr/bin/env python3
"""What findings are worth, what may fail a run by it, and floors in baselines and comparisons: worth_test.py SMEM_LINT [unittest arguments]."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"

# Rounds of a conflict, beside rounds of loads without one.
KERNEL = """\
// smem-lint: launch block=(32,32) grid=({grid}) rounds=100 others={others}
__global__ void columns(float *out, const float *in, int rounds, int others) {{
  __shared__ float tile[32][{pitch}], rows[32][32];
  const int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * 32 + y) * 32 + x;
  tile[y][x] = in[at];
  rows[y][x] = in[at] + 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rounds; ++i)
    sum += tile[x][i % 32];
  for (int i = 0; i < others; ++i)
    sum += rows[i % 32][x];
  out[at] = sum;
}}
"""
# Each array of 1 GiB is read and written by lanes side by side; the conflict takes less long than memory.
COPY = """\
// smem-lint: launch block=(32,32) grid=65536
__global__ void copy(float4 *out, const float4 *in) {
  __shared__ float tile[32][32];
  const int at = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
  float4 value = in[at];
  tile[threadIdx.y][threadIdx.x] = value.x;
  __syncthreads();
  if (threadIdx.y == 0) value.y += tile[threadIdx.x][1];
  out[at] = value;
}
"""


def kernel(grid=1320, others=0, pitch=32):
    return KERNEL.format(grid=grid, others=others, pitch=pitch)

PRODUCT = """\
// smem-lint: launch block=(16,16) grid=(64,64)
__global__ void product(float *c, const float *a, const float *b) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += a[row * 1024 + k] * b[k * 1024 + column];
  c[row * 1024 + column] = sum;
}
"""


class Worth(unittest.TestCase):
    def setUp(self):
        folder, results = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(results.cleanup)
        self.folder, self.results = folder.name, results.name

    def write(self, text, name="k.cu"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def lint(self, code, *arguments, subcommand=()):
        # What one file says to several options is analysed once.
        environment = {**os.environ, "SMEM_LINT_CACHE_DIR": self.results, "SMEM_LINT_CACHE_KEY": "of the tests, not a user's"}
        done = subprocess.run([SMEM_LINT, *subcommand, "--cuda-path=none", *arguments], cwd=self.folder, text=True, capture_output=True, timeout=60, check=False, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def finding(self, *arguments):
        findings = json.loads(self.lint(0, "--format=json", "--fail-on=never", *arguments, "k.cu"))["findings"]
        return next(one for one in findings if one["rule"] == "smem-bank-conflict")

    def test_what_a_conflict_can_gain(self):
        # A block loads 100 times 32 lanes of each of 32 warps from one bank: 4 words of a lane at a time.
        self.write(kernel())
        floor = self.finding()["floor"]
        self.assertGreater(floor["gain_at_most"], floor["ns"] / floor["ns_without"])  # a wavefront that is saved takes a quarter more than a cycle
        self.assertGreater(floor["gain_at_most"], 7)
        self.write(kernel(others=4000))
        floor = self.finding()["floor"]
        self.assertAlmostEqual(floor["gain_at_most"], 1 + 1.25 * (800 - 100) / (100 + 4000 + 4), delta=0.001)

    def test_a_floor_that_stays_leaves_a_bound(self):
        self.write(COPY)
        floor = self.finding()["floor"]
        self.assertEqual((floor["binding"], floor["ns"]), ("dram__bytes", floor["ns_without"]))
        self.assertTrue(1.01 < floor["gain_at_most"] < 1.03, floor)
        self.assertIn("(DRAM), and the same without it (1.02x at most)", self.lint(1, "k.cu"))

    def test_what_can_gain_little_fails_no_run(self):
        self.write(kernel(others=4000))
        self.lint(1, "k.cu")
        self.lint(1, "--min-gain=21%", "k.cu")
        self.assertIn("[smem-bank-conflict]", self.lint(0, "--min-gain=22%", "k.cu"))
        self.lint(0, "--min-gain=22%", "--fail-on=note", "k.cu")
        self.write("MinGain: 22%\n", ".smem-lint.yaml")
        self.lint(0, "k.cu")
        self.lint(1, "--min-gain=0%", "k.cu")
        self.assertIn("MinGain: 22%", self.lint(0, "--dump-config"))

    def test_where_no_bound_is_known_the_run_fails(self):
        self.write("// smem-lint: launch block=256 grid=4096\n__global__ void k(float *o, const float *i) {\n  o[blockIdx.x * 256 + threadIdx.x] = i[(blockIdx.x * 256 + threadIdx.x) * 32];\n}\n")
        self.lint(1, "--min-gain=1000%", "k.cu")
        self.write(kernel().replace(" grid=(1320)", ""))  # the launch is assumed, the conflict is not
        self.lint(1, "--min-gain=1000%", "k.cu")

    def test_what_is_no_percentage(self):
        self.write(kernel())
        for wrong in ("5", "x%", "-1%", "nan%", "%"):
            self.assertIn("a percentage such as 5% is needed", self.lint(2, "--min-gain=" + wrong, "k.cu"))
        self.write("MinGain: 5\n", ".smem-lint.yaml")
        self.assertIn(".smem-lint.yaml:1:10: error: MinGain: '5' is no percentage such as 5%", self.lint(2, "k.cu"))

    def test_the_worst_by_its_worth_comes_first(self):
        small = kernel(others=4000).replace("columns", "dominated")
        self.write(small + kernel().split("\n", 1)[0] + "\n" + kernel().split("\n", 1)[1])
        lines = [line for line in self.lint(1, "-q", "k.cu").splitlines() if "[smem-bank-conflict]" in line]
        self.assertEqual(len(lines), 2)
        self.assertGreater(int(lines[0].split(":")[1]), int(lines[1].split(":")[1]))

    def test_a_raised_floor_fails_where_no_access_got_worse(self):
        self.write(kernel(others=1000, pitch=33))
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        self.lint(0, "--baseline=b.json", "--fail-on=regression", "k.cu")
        self.write(kernel(others=1000, pitch=33).replace("rows[i % 32][x]", "rows[i % 32][x] + rows[(i + 1) % 32][x]"))
        out = self.lint(1, "--baseline=b.json", "--fail-on=regression", "k.cu")
        self.assertRegex(out, r"the floor under the time of columns is .* on an H200 \(shared memory\), and was .*\(1\.[0-9]+x\) .*\[floor-raised\]")
        self.assertIn("baseline: 0 new, 1 worse", out)
        self.lint(0, "--baseline=b.json", "--checks=-floor-raised", "k.cu")
        self.lint(0, "--baseline=b.json", "--gpu=h100", "k.cu")  # another GPU's is no floor to compare with
        self.lint(0, "--baseline=b.json", "--prune-baseline", "--fail-on=never", "k.cu")  # never raises
        self.lint(1, "--baseline=b.json", "k.cu")
        self.write(kernel(others=1000, pitch=33).replace("rows[i % 32][x]", "rows[i % 32][x] + rows[(i + 1) % 32][x]").replace("__global__ void columns", "__global__ void columns /* NOLINT(floor-raised): wanted */"))
        self.lint(0, "--baseline=b.json", "k.cu")
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        self.lint(0, "--baseline=b.json", "k.cu")

    def test_an_access_that_got_worse_says_why_by_itself(self):
        self.write(kernel(pitch=33))
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        self.write(kernel())
        out = self.lint(1, "--baseline=b.json", "--fail-on=regression", "k.cu")
        self.assertIn("[smem-bank-conflict]", out)
        self.assertNotIn("[floor-raised]", out)
        self.assertIn("[floor-raised]", self.lint(1, "--baseline=b.json", "--checks=-smem-bank-conflict", "k.cu"))

    def test_less_than_three_percent_is_no_regression(self):
        self.write(kernel(others=1000, pitch=33))
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        self.write(kernel(others=1000, pitch=33).replace("rounds; ++i)", "rounds + 25; ++i)"))
        self.lint(0, "--baseline=b.json", "--fail-on=regression", "k.cu")
        self.write(kernel(others=1000, pitch=33).replace("rounds; ++i)", "rounds + 50; ++i)"))
        self.lint(1, "--baseline=b.json", "--fail-on=regression", "k.cu")

    def test_floors_of_another_model_or_damaged(self):
        self.write(kernel(others=1000, pitch=33))
        self.lint(0, "--baseline=b.json", "--update-baseline", "k.cu")
        with open(os.path.join(self.folder, "b.json"), encoding="utf-8") as file:
            baseline = json.load(file)
        baseline["floors"][0]["ns"] //= 2
        self.write(json.dumps(baseline), "b.json")
        self.lint(1, "--baseline=b.json", "k.cu")
        baseline["floor_model"] += 1
        self.write(json.dumps(baseline), "b.json")
        self.lint(0, "--baseline=b.json", "k.cu")
        baseline["floor_model"] -= 1
        del baseline["floors"][0]["gpu"]
        self.write(json.dumps(baseline), "b.json")
        self.assertIn("is damaged: floor 1 is incomplete", self.lint(2, "--baseline=b.json", "k.cu"))

    def test_diff_has_floors(self):
        for arguments in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]):
            if arguments[0] == "add":
                self.write(kernel(others=1000, pitch=33))
            subprocess.run(["git", *arguments], cwd=self.folder, check=True, timeout=60)
        self.write(kernel(others=1000, pitch=33).replace("others; ++i)", "2 * others; ++i)"))
        out = self.lint(1, subcommand=("diff", "HEAD"))
        self.assertRegex(out, r"worse +k.cu: columns .* us -> .* us")
        self.assertIn("floor-raised", out)
        report = json.loads(self.lint(1, "--format=json", subcommand=("diff", "HEAD")))
        self.assertGreater(report["kernels"][0]["floor"]["ns_after"], 1.5 * report["kernels"][0]["floor"]["ns_before"])
        self.lint(0, "--checks=-floor-raised", subcommand=("diff", "HEAD"))
        # The same sums in blocks of which some SM has twice as many: no kernel's sums change, its floor does.
        self.write(kernel(others=1000, pitch=33, grid=1320).replace("block=(32,32) grid=(1320)", "block=(32,32) grid=(1320)"))
        self.assertIn("no regression", self.lint(0, subcommand=("diff", "HEAD")))

    def test_launches_that_fill_a_gpu_badly(self):
        self.write(kernel(grid=140, pitch=33))
        self.assertNotIn("grid-tail", self.lint(0, "k.cu"))  # only where it is asked for
        out = self.lint(0, "--checks=grid-tail,low-occupancy", "k.cu")
        self.assertIn("140 blocks of columns on an H200 with 132 SMs: some SM has 2 of them, the mean is 1.06 [grid-tail]", out)
        self.write(kernel(grid=100, pitch=33))
        self.assertIn("100 blocks of columns on an H200 with 132 SMs: 32 SMs have nothing to do", self.lint(0, "--checks=grid-tail", "--table", "k.cu"))
        for enough in (264, 1320, 1340):
            self.write(kernel(grid=enough, pitch=33))
            self.assertNotIn("grid-tail", self.lint(0, "--checks=grid-tail", "--table", "k.cu"))
        self.write(kernel(grid=140, pitch=33).replace(" grid=(140)", ""))
        self.assertNotIn("grid-tail", self.lint(0, "--checks=grid-tail", "--table", "k.cu"))  # of an assumed grid nothing is said

    def test_what_is_read_again_and_again(self):
        # Of 1,024 x 1,024 floats every row is read by 64 blocks, and in each of these by 16 columns of threads; two rows of a block are in a warp.
        self.write(PRODUCT)
        out = self.lint(0, "--checks=-*,gmem-redundant-traffic", "--table", "k.cu")
        self.assertIn("4,294,967,296 bytes of a are read by product, at least 4,128,768 distinct ones: on average each at most 1,040 times by the grid, 16 times by a block", out)
        self.assertNotIn("gmem-redundant-traffic", self.lint(0, "--table", "k.cu"))
        reads = json.loads(self.lint(0, "--format=json", "k.cu"))["launches"][0]["floor"]
        self.assertEqual({r["array"]: r["block_bytes"] for r in reads["reads"]}, {"a": 64512, "b": 64512})  # the last 16 iterations are executed apart
        self.assertEqual(reads["operations_per_byte"]["shared"], None)
        self.assertAlmostEqual(reads["operations_per_byte"]["global"], 2 ** 30 / (4128768 + 2 ** 22), places=3)
        self.write(PRODUCT.replace("block=(16,16) grid=(64,64)", "block=(16,2) grid=(1,1)"))  # a warp, which waits for something else
        self.assertNotIn("gmem-redundant-traffic", self.lint(0, "--checks=-*,gmem-redundant-traffic", "--table", "k.cu"))

    def test_a_unit_that_is_not_counted_to_the_end_may_bind_instead(self):
        self.write(PRODUCT.replace("c[row * 1024 + column] = sum", "if (sum > 0) c[(int)sum] = sum"))
        variants = self.lint(0, "--what-if=block=(32,8)", "--checks=-*", "k.cu").splitlines()[1:3]
        self.assertEqual([line.rstrip().endswith(" us  not known") for line in variants], [True, True], variants)

    def test_examples_of_rules(self):
        for rule in ("grid-tail", "low-occupancy", "gmem-redundant-traffic"):
            text = self.lint(0, "--explain=" + rule)
            bad, good = text.split("\nBad\n")[1].split("\nLimits\n")[0].split("\nGood\n")
            for code, expected in ((bad, True), (good, False)):
                self.write(code)
                self.assertEqual(f"[{rule}]" in self.lint(0, "--checks=-*," + rule, "--table", "k.cu"), expected, rule)


if __name__ == "__main__":
    unittest.main()
