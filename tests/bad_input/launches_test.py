#!/usr/bin/env python3
"""Launches that no GPU makes."""
import unittest

from case import Case, GOOD


class Launches(Case):
    def test_too_many_threads(self):
        result, report = self.report_beside_good("""\
            __global__ void many(float *out) { out[threadIdx.x] = 0; }
            void run(float *out) {
              many<<<1, 1025>>>(out);
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "launch-limit", 3, "error", "1025", "1024")

    def test_other_limits(self):
        for shape, needle in (("dim3(1), dim3(1, 1, 65)", "65"), ("dim3(1, 65536), dim3(32)", "65536"), ("dim3(1, 1, 65536), dim3(32)", "65536"),
                              ("dim3(1), dim3(32, 33)", "1056")):
            result, report = self.report("__global__ void odd(float *out) { out[threadIdx.x] = 0; }\n"
                                         f"void run(float *out) {{ odd<<<{shape}>>>(out); }}\n")
            self.assertEqual(result.code, 1, str(result))
            self.assert_finding(report, "launch-limit", 2, "error", needle)

    def test_extents_of_nothing(self):
        for shape in ("0, 32", "1, 0", "dim3(1, 0, 1), 32", "-1, 32", "1, -32", "1u << 31, 32"):
            result, report = self.report("__global__ void odd(float *out) { out[threadIdx.x] = 0; }\n"
                                         f"void run(float *out) {{\n  odd<<<{shape}>>>(out);\n}}\n" + GOOD)
            self.assertEqual(result.code, 1, f"{shape}: {result}")
            self.assert_finding(report, "launch-limit", 3)
            self.assert_good_kernel(report)

    def test_launch_bounds(self):
        result, report = self.report("__global__ __launch_bounds__(128) void bounded(float *out) { out[threadIdx.x] = 0; }\n"
                                     "void run(float *out) { bounded<<<1, 256>>>(out); }\n")
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "launch-limit", 2, "error", "128")

    def test_too_much_static_shared_memory(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void big(float *out) {
              __shared__ float tile[100][129];
              tile[threadIdx.x][0] = 0;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x][1];
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])
        self.assertIn("51600", str([finding["message"] for finding in report["findings"]]).replace(",", ""))

    def test_too_much_dynamic_shared_memory(self):
        result, report = self.report_beside_good("""\
            __global__ void big(float *out) {
              extern __shared__ float pool[];
              pool[threadIdx.x] = 0;
              __syncthreads();
              out[threadIdx.x] = pool[31 - threadIdx.x];
            }
            void run(float *out) {
              big<<<1, 32, 300000>>>(out);
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])

    def test_absurd_shared_memory(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void absurd(float *out) {
              __shared__ float tile[1 << 28];
              tile[threadIdx.x] = 0;
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            """ + GOOD)
        self.assertIn(result.code, (1, 2), str(result))
        if result.code == 1:
            self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])
            self.assert_good_kernel(report)
        self.lint(GOOD, "--launch", "good:dynamic=1152921504606846976")

    def test_malformed_options(self):
        self.write("good.cu", GOOD)
        for option in ("--launch=good:block=(0)", "--launch=good:block=(1,2,3,4)", "--launch=good:block=(-1)", "--launch=good:block",
                       "--launch=good:block=(99999999999999999999)", "--launch=", "--launch=gud:block=(32)", "--set=n", "--set=n=",
                       "--set=n=1e3", "--set=n=99999999999999999999", "--set=nobody=3", "--max-steps=0", "--max-steps=-1", "--jobs=-1",
                       "--jobs=many", "--format=xml", "--checks=no-such-rule", "--fail-on=always", "--explain=no-such-rule"):
            result = self.run_lint(option, "good.cu")
            self.assertEqual(result.code, 2, f"{option}: {result}")
            self.assertTrue(result.err.strip(), option)

    def test_largest_grid(self):
        _, report = self.report(GOOD.replace("grid=(2)", "grid=(2147483647)"))
        store = [site for site in self.sites(report, "good") if site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual((store[0]["verdict"], store[0]["requests"], store[0]["wavefronts"]), ("exact", 2147483647, 32 * 2147483647))

    def test_counts_beyond_64_bits_are_not_wrapped(self):
        _, report = self.report("""\
            // smem-lint: launch block=(1024) grid=(2147483647,65535,65535) n=9223372036854775807
            __global__ void endless(long long n) {
              __shared__ volatile int tile[32][32];
              for (long long i = 0; i < n; ++i)
                tile[threadIdx.x % 32][0] = 1;
            }
            """)
        for site in self.sites(report, "endless"):
            self.assertEqual(site["verdict"], "unknown", site)


if __name__ == "__main__":
    unittest.main()
