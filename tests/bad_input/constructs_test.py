#!/usr/bin/env python3
"""What does not lower is named; it neither disappears nor spoils the rest."""
import unittest

from case import Case, GOOD


class Constructs(Case):
    def test_call_through_a_pointer(self):
        _, report = self.report_beside_good("""\
            using Step = void (*)(float *, int);
            __device__ void one(float *tile, int i) { tile[i] = 1; }
            __device__ void two(float *tile, int i) { tile[2 * i] = 2; }
            __device__ Step steps[] = {one, two};
            // smem-lint: launch block=(32) grid=(1) which=1
            __global__ void indirect(float *out, int which) {
              __shared__ float tile[64];
              steps[which](tile, threadIdx.x);
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assertTrue(self.sites(report, "indirect"))

    def test_function_defined_elsewhere(self):
        _, report = self.report_beside_good("""\
            extern __device__ int elsewhere(int *tile, int i);
            // smem-lint: launch block=(32) grid=(1)
            __global__ void calls(int *out) {
              __shared__ int tile[64];
              tile[threadIdx.x] = 1;
              tile[elsewhere(tile, threadIdx.x)] = 2;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """, "--", "-rdc=true")
        self.assert_unknown(report, "calls", 6, "elsewhere")

    def test_inline_ptx_that_nobody_knows(self):
        _, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void odd(int *out) {
              __shared__ int tile[64];
              unsigned index;
              asm volatile("frobnicate.u32 %0, %%tid.x;" : "=r"(index));
              tile[index] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assert_unknown(report, "odd", 6, "frobnicate")

    def test_clock_and_other_machine_state(self):
        _, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void clocks(int *out) {
              __shared__ int tile[32];
              tile[clock() % 32] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assert_unknown(report, "clocks", 4)

    def test_printf_assert_trap_and_heap(self):
        _, report = self.report_beside_good("""\
            #include <cassert>
            #include <cstdio>
            // smem-lint: launch block=(32) grid=(1) n=32
            __global__ void chatty(int *out, int n) {
              assert(n > 0);
              if (n < 0) __trap();
              printf("%d\\n", threadIdx.x);
              int *p = static_cast<int *>(malloc(16));
              p[1] = n;
              out[threadIdx.x] = p[1];
              free(p);
            }
            """)
        self.assertTrue(self.sites(report, "chatty", 10))

    def test_union_bitfield_and_unaligned_struct(self):
        self.report_beside_good("""\
            struct __attribute__((packed)) Packed { char tag; int value; short rest; };
            union Both { float f[4]; struct { unsigned low : 5; unsigned high : 27; } bits; };
            // smem-lint: launch block=(32) grid=(1)
            __global__ void odd(int *out) {
              __shared__ Packed packed[32];
              __shared__ Both both[32];
              packed[threadIdx.x].value = threadIdx.x;
              both[threadIdx.x].bits.high = 3;
              __syncthreads();
              out[threadIdx.x] = packed[31 - threadIdx.x].value + both[31 - threadIdx.x].bits.low;
            }
            """)

    def test_irreducible_jumps(self):
        _, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1) n=7
            __global__ void jumps(int *out, int n) {
              __shared__ volatile int tile[32];
              int i = 0;
              if (threadIdx.x & 1) goto middle;
            top:
              tile[(threadIdx.x + i) % 32] = i;
            middle:
              tile[(threadIdx.x * 2 + i) % 32] = i;
              if (++i < n) { if (i & 2) goto top; else goto middle; }
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assertTrue(self.sites(report, "jumps", 9))

    def test_dynamic_parallelism(self):
        result = self.lint("""\
            __global__ void child(float *out) { out[threadIdx.x] = 0; }
            __global__ void parent(float *out) { child<<<1, 32>>>(out); }
            """ + GOOD, "--", "-rdc=true")
        self.assertIn(result.code, (1, 2), str(result))
        if result.code == 2:
            self.assertIn("kernel.cu:2:", result.err)


if __name__ == "__main__":
    unittest.main()
