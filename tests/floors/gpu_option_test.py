#!/usr/bin/env python3
"""--gpu as its users meet it: gpu_option_test.py SMEM_LINT [unittest arguments]."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"

KERNEL = """\
// smem-lint: launch block=(32,32) grid=(128,128) n=4096
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
"""
CARD = "Name: My card\nArch: sm_90\nSms: 10\nClockMHz: 1000\nDramGBs: 100\nL2MiB: 1\n"


class Gpu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("k.cu", KERNEL)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_lint(self, *arguments):
        return subprocess.run([SMEM_LINT, "--cuda-path=none", *arguments, "k.cu"], cwd=self.folder.name, text=True, capture_output=True, timeout=60, check=False)

    def floor(self, *arguments):
        done = self.run_lint("--format=json", "--fail-on=never", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["launches"][0]["floor"]

    def fails(self, *arguments):
        done = self.run_lint(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr

    def test_the_usual_gpu_of_the_architecture(self):
        self.assertEqual(self.floor()["gpu"], "h200")
        self.assertEqual(self.floor("--arch=sm_80")["gpu"], "a100")
        self.assertIsNone(self.floor("--arch=sm_120"))

    def test_a_name_decides_the_architecture(self):
        floor = self.floor("--gpu=A100")
        self.assertEqual((floor["gpu"], floor["assumed"]), ("a100", True))
        self.assertEqual(self.floor("--gpu=h100-pcie", "--arch=sm_90")["gpu"], "h100-pcie")
        self.assertIn("--gpu=h200 has architecture sm_90, and --arch asks for sm_80", self.fails("--gpu=h200", "--arch=sm_80"))

    def test_unknown_names_are_told_which_are_known(self):
        error = self.fails("--gpu=h20")
        for text in ("unknown GPU 'h20'", "did you mean", "h200", "a100", "rtx4090"):
            self.assertIn(text, error)
        self.fails("--gpu=")

    def test_a_file_of_figures(self):
        self.write("card.yaml", CARD)
        floor = self.floor("--gpu=card.yaml")
        # 16,384 blocks on 10 SMs: 1,639 on the busiest. A block's 32 warps store in 32 wavefronts, load in 1,024, and take 64 for global memory.
        self.assertEqual(floor["gpu"], "My card")
        self.assertEqual({r["resource"]: r["ns"] for r in floor["resources"]}["l1tex__data_pipe_lsu_wavefronts_mem_shared"], 1639 * (32 + 1024))
        # 64 MiB are read and as many written, of which L2 holds one each: 100 bytes a nanosecond.
        self.assertEqual({r["resource"]: r["ns"] for r in floor["resources"]}["dram__bytes"], 2 * 63 * 1024 * 1024 // 100)
        self.assertIn("on a My card", self.run_lint("--gpu=card.yaml").stdout)

    def test_a_wrong_file_is_named_with_its_line(self):
        for text, error in (
            (CARD.replace("Sms", "Sm"), "card.yaml:3:1: unknown key 'Sm'; did you mean 'Sms'?"),
            (CARD + "Sms: 3\n", "card.yaml:7:1: the key 'Sms' stands here for the second time"),
            (CARD.replace("10\n", "ten\n"), "card.yaml:3:6: Sms: 'ten' is no number"),
            (CARD.replace("Sms: 10", "Sms: 0"), "card.yaml: sms must be a positive integer"),
            (CARD.replace("1000", "nan"), "card.yaml: clock_mhz must be a positive number"),
            (CARD.replace("sm_90", "sm_1"), "card.yaml:2:7: Arch: unknown architecture 'sm_1'"),
            (CARD.replace("L2MiB: 1\n", ""), "card.yaml: L2MiB is missing"),
            (CARD.replace("L2MiB: 1", "L2MiB: [1]"), "card.yaml:6:9: L2MiB must be a single value"),
            ("[1, 2]\n", "a GPU must be a mapping"),
            ("", "card.yaml"),
            ("{", "card.yaml"),
        ):
            self.write("card.yaml", text)
            self.assertIn(error, self.fails("--gpu=card.yaml"))
        self.assertIn("none.yaml: cannot read the GPU", self.fails("--gpu=none.yaml"))

    def test_no_launch_and_no_lane_have_no_floor(self):
        for launch in ("block=(32,1) grid=(0,1) n=1", "block=(2000,1) grid=(1,1) n=1"):
            self.write("k.cu", KERNEL.replace("block=(32,32) grid=(128,128) n=4096", launch))
            done = self.run_lint("--format=json", "--fail-on=never")
            if done.returncode == 0:
                self.assertTrue(all(one["floor"] is None for one in json.loads(done.stdout)["launches"]))
        self.write("k.cu", "// smem-lint: launch block=32 grid=1\n__global__ void k(float *x) { if (threadIdx.x > 40) x[0] = 1; }\n")
        self.assertIsNone(self.floor())


if __name__ == "__main__":
    unittest.main()
