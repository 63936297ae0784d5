#!/usr/bin/env python3
"""smem-validate on a machine with a GPU: measure_on_gpu.py SMEM_VALIDATE [unittest arguments].

Programs that a measurement has to survive. Needs a GPU, permission to read counters, and nvcc; not part of ctest, whose tests
need none of them. Ends with an error, not with success, where there is no GPU.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SMEM_VALIDATE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-validate"
ARCH = os.environ.get("CUDA_ARCH", "sm_90")

PRELUDE = r"""
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <unistd.h>
__global__ void stride(float *out) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = i;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x * 32];  // 32-way
}
__global__ void add_one(int *p) { p[threadIdx.x] += 1; }
__global__ void fault(int *p) { p[threadIdx.x] = 1; }
"""


def program(body):
    return PRELUDE + "int main() {\n  float *out; cudaMalloc(&out, 4096);\n" + body + "\n}\n"


class OnGpu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def build(self, body, *flags):
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(program(body))
        subprocess.run(["nvcc", "-O3", "-arch=" + ARCH, *flags, self.path("p.cu"), "-o", self.path("p")], check=True, capture_output=True)

    def measure(self, *options, env=None):
        done = subprocess.run([SMEM_VALIDATE, "measure", "-o", self.path("m.jsonl"), *options, "--", self.path("p")], capture_output=True, text=True,
                              timeout=120, check=False, env=dict(os.environ, **(env or {})))
        with open(self.path("m.jsonl"), encoding="utf-8") as file:
            self.records = [json.loads(line) for line in file]
        return done

    def launches(self):
        return [r for r in self.records if r["kind"] == "launch"]

    def shared_load(self, launch):
        return [r for r in launch["instructions"] if r.get("opcode") == "LDS"]

    def test_counts(self):
        self.build("stride<<<4, 32>>>(out); return cudaDeviceSynchronize();", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        [load] = self.shared_load(self.launches()[0])
        self.assertEqual((load["executed"], load["wavefronts"], load["wavefronts_ideal"]), (4, 128, 4))
        self.assertTrue(load["file"].endswith("p.cu"))
        [sources] = [r for r in self.records if r["kind"] == "sources"]
        self.assertEqual([os.path.basename(s["file"]) for s in sources["sources"]], ["p.cu"])

    def test_context_of_the_driver_interface(self):
        # A primary context that is made by the driver's own calls is current in no thread when it appears.
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(PRELUDE + "#include <cuda.h>\nint main() { cuInit(0); CUcontext c; cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c);"
                       "float *out; cudaMalloc(&out, 4096); stride<<<4, 32>>>(out); return cudaDeviceSynchronize(); }")
        subprocess.run(["nvcc", "-O3", "-arch=" + ARCH, "-lineinfo", self.path("p.cu"), "-o", self.path("p"), "-lcuda"], check=True, capture_output=True)
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.shared_load(self.launches()[0])[0]["wavefronts"], 128)

    def test_filter_skip_and_count(self):
        self.build("for (int i = 1; i < 6; ++i) stride<<<i, 32>>>(out); return cudaDeviceSynchronize();", "-lineinfo")
        self.measure("--launch-skip", "1", "--launch-count", "2")
        self.assertEqual([l["grid"][0] for l in self.launches()], [2, 3])
        self.build("for (int i = 0; i < 6; ++i) stride<<<1 + i % 2, 32>>>(out); return cudaDeviceSynchronize();", "-lineinfo")
        self.measure("--launch-skip", "1", "--launch-each", "2")
        self.assertEqual([l["grid"][0] for l in self.launches()], [2, 1, 2, 1])
        done = self.measure("--kernel", "nothing_has_this_name")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no launch matched", done.stderr)

    def test_without_line_information(self):
        self.build("stride<<<4, 32>>>(out); return cudaDeviceSynchronize();")
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without line information", done.stderr)
        [load] = self.shared_load(self.launches()[0])
        self.assertEqual(load["wavefronts"], 128)
        self.assertNotIn("file", load)

    def test_no_launch(self):
        self.build("return 0;")
        done = self.measure()
        self.assertEqual(done.returncode, 2)
        self.assertIn("launched no kernel", done.stderr)

    def test_exit_with_an_error(self):
        self.build("stride<<<1, 32>>>(out); cudaDeviceSynchronize(); return 7;", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 7)
        self.assertIn("exited with 7", done.stderr)
        self.assertEqual(len(self.launches()), 1)

    def test_crash_keeps_what_was_measured(self):
        self.build("stride<<<1, 32>>>(out); stride<<<2, 32>>>(out); *(volatile int *)0 = 1; return 0;", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 128 + 11)
        self.assertIn("killed by signal 11", done.stderr)
        self.assertIn("did not end normally", done.stderr)
        self.assertEqual([self.shared_load(l)[0]["wavefronts"] for l in self.launches()], [32, 64])

    def test_refused_launch(self):
        self.build("stride<<<1, 32, 1 << 20>>>(out); cudaGetLastError(); stride<<<1, 2048>>>(out); cudaGetLastError();"
                   "stride<<<1, 32>>>(out); return cudaDeviceSynchronize();", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        good = [l for l in self.launches() if l["result"] == "success"]
        self.assertEqual(len(good), 1)
        self.assertEqual(self.shared_load(good[0])[0]["wavefronts"], 32)
        bad = [l for l in self.launches() if l["result"] != "success"]
        if bad:  # the runtime refuses some itself, before the driver sees them
            self.assertIn("failed and were not measured", done.stderr)

    def test_faulting_kernel(self):
        self.build("stride<<<1, 32>>>(out); fault<<<1, 32>>>((int *)8); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual([l["result"] == "success" for l in self.launches()], [True, False])
        self.assertIn("failed", done.stderr)

    def test_no_gpu(self):
        self.build("return cudaDeviceSynchronize() == cudaSuccess ? 0 : 4;")
        done = self.measure(env={"CUDA_VISIBLE_DEVICES": ""})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing measured", done.stderr)
        self.assertIn("doctor", done.stderr)
        doctor = subprocess.run([SMEM_VALIDATE, "doctor"], capture_output=True, text=True, check=False, env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
        self.assertEqual(doctor.returncode, 2)
        self.assertIn("CUDA_VISIBLE_DEVICES", doctor.stdout)

    def test_graph(self):
        self.build("cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e;"
                   "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); stride<<<1, 32, 0, s>>>(out); cudaStreamEndCapture(s, &g);"
                   "cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); return cudaStreamSynchronize(s);", "-lineinfo")
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["kind"] for r in self.records if r["kind"] in ("launch", "graph")], ["graph"])

    def test_source_newer_than_the_program(self):
        self.build("stride<<<1, 32>>>(out); return cudaDeviceSynchronize();", "-lineinfo")
        later = os.stat(self.path("p")).st_mtime + 60
        os.utime(self.path("p.cu"), (later, later))
        done = self.measure()
        self.assertIn("newer than the program", done.stderr)
        self.assertFalse([r for r in self.records if r["kind"] == "sources"])

    def test_times_and_puts_memory_back(self):
        # What the program sees afterwards is what its own launches did, in spite of the repeats.
        self.build("int *p = (int *)out; cudaMemset(p, 0, 4096); int h[32]; for (int i = 0; i < 3; ++i) add_one<<<1, 32>>>(p);"
                   "cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost); for (int v : h) if (v != 3) return 9; return 0;", "-lineinfo")
        done = self.measure("--time")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("warning", done.stderr)
        times = [r for r in self.records if r["kind"] == "time"]
        self.assertEqual(len(times), 3)
        for time in times:
            self.assertTrue(300 < time["median_ns"] < 100_000, time)
            self.assertLessEqual(time["fastest_ns"], time["median_ns"])
            self.assertGreaterEqual(time["samples"], 5)

    def test_times_only_what_is_measured(self):
        self.build("for (int i = 1; i < 4; ++i) stride<<<i, 32>>>(out); add_one<<<1, 32>>>((int *)out); return cudaDeviceSynchronize();", "-lineinfo")
        done = self.measure("--time", "--kernel", "stride", "--launch-skip", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(l["index"], l["grid"][0]) for l in self.launches()], [(1, 2), (2, 3)])
        self.assertEqual([(r["index"], r["grid"][0]) for r in self.records if r["kind"] == "time"], [(1, 2), (2, 3)])

    def test_doctor(self):
        done = subprocess.run([SMEM_VALIDATE, "doctor"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("counters  can be read", done.stdout)


if __name__ == "__main__":
    unittest.main()
