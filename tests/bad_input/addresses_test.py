#!/usr/bin/env python3
"""Accesses outside of what they may touch, and indices that are not defined."""
import unittest

from case import Case


class Addresses(Case):
    def test_behind_and_before_the_array(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(128) grid=(1)
            __global__ void outside(float *out) {
              __shared__ float tile[100];
              tile[threadIdx.x] = 1;
              __syncthreads();
              if (threadIdx.x < 100)
                out[threadIdx.x] = tile[(int)threadIdx.x - 2];
            }
            """)
        self.assert_error(result, report, "smem-out-of-bounds", 4)
        self.assert_finding(report, "smem-out-of-bounds", 7, "error")

    def test_into_the_neighbouring_array(self):
        _, report = self.report("""\
            // smem-lint: launch block=(128) grid=(1)
            __global__ void neighbours(float *out) {
              __shared__ float a[100];
              __shared__ float b[100];
              a[threadIdx.x] = 1;
              if (threadIdx.x < 100) b[threadIdx.x] = 1;
              __syncthreads();
              if (threadIdx.x < 100) out[threadIdx.x] = a[99 - threadIdx.x] + b[99 - threadIdx.x];
            }
            """)
        self.assert_finding(report, "smem-out-of-bounds", 5, "error")

    def test_constant_index_outside(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void outside(float *out) {
              __shared__ float tile[32];
              tile[threadIdx.x + 1000000] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assert_error(result, report, "smem-out-of-bounds", 4)

    def test_division_by_an_argument_that_is_zero(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1) columns=0
            __global__ void divides(float *out, const float *in, int columns) {
              __shared__ float tile[32];
              tile[threadIdx.x] = in[threadIdx.x];
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x / columns];
            }
            """)
        self.assert_error(result, report, "division-by-zero", 6)
        self.assert_unknown({"launches": [{**launch, "sites": [s for s in launch["sites"] if s["operation"] == "load"]}
                                          for launch in report["launches"]]}, "divides", 6, "zero")

    def test_remainder_by_zero_from_host_code(self):
        result, report = self.report("""\
            __global__ void divides(int *out, int rows) { out[threadIdx.x % rows] = 1; }
            void run(int *out) {
              divides<<<1, 32>>>(out, 0);
            }
            """)
        self.assert_error(result, report, "division-by-zero", 1)

    @unittest.expectedFailure  # what the compiler deletes as undefined, and its warning, are not shown
    def test_division_by_a_constant_zero(self):
        result, _ = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void divides(int *out) {
              __shared__ int tile[32];
              tile[threadIdx.x / 0] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assertIn("kernel.cu:4:", result.err + result.out)
        self.assertIn("zero", result.err + result.out)

    def test_host_code_that_divides_by_zero(self):
        self.report_beside_good("""\
            __global__ void k(float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0; }
            void run(float *out) {
              const int zero = 0;
              k<<<10 / zero, 32>>>(out, 10 % zero);
            }
            """)

    def test_misaligned(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void misaligned(double *out) {
              __shared__ __align__(16) float tile[32 * 33];
              for (int i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = i;
              __syncthreads();
              out[threadIdx.x] = *reinterpret_cast<const double *>(&tile[threadIdx.x * 33]);
            }
            """)
        self.assert_error(result, report, "smem-misaligned", 6)

    def test_null_and_made_up_pointers(self):
        self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void null(int *out) {
              int *p = nullptr;
              p[threadIdx.x] = 1;
              *reinterpret_cast<volatile int *>(0x1234567890) = 2;
            }
            """)

    def test_undefined_index(self):
        self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void undefined(int *out) {
              __shared__ int tile[32];
              int index;
              tile[index] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)

    def test_shift_by_too_much_and_overflow(self):
        self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1) n=40 big=2147483647
            __global__ void shifts(int *out, int n, int big) {
              __shared__ int tile[64];
              tile[(threadIdx.x << n) & 63] = 1;
              tile[(unsigned)(big * (int)threadIdx.x) % 64] = 2;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)


if __name__ == "__main__":
    unittest.main()
