// Indices that are computed in floating point, or by libdevice's functions of integers: known as far as every compiler and every option
// gives the same.
// RUN: not %lint %s | FileCheck %s
// RUN: not %lint %s -- --use_fast_math | FileCheck %s --check-prefix=FAST
// RUN: not %lint %s -- -fmad=false | FileCheck %s --check-prefix=APART
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void bilinear(const float *in, float *out) {
  const float x = (threadIdx.x + 0.5f) * 0.75f - 0.5f;
  const int left = static_cast<int>(floorf(x)), right = min(left + 1, 23);
  const float part = x - left;
  out[threadIdx.x] = in[8 * max(left, 0)] * (1 - part) + in[8 * right] * part;
}
// CHECK-LABEL: {{^}}bilinear {{.*}}grid
// CHECK: 13:22 {{.*}}load 32 {{ *}}1 {{ *}}24 {{.*}}exact
// CHECK: 13:{{[0-9]+}} {{.*}}in[8 * right]{{.*}}load 32 {{ *}}1 {{ *}}24 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void nearest(const float *in, float *out) {
  const float at = threadIdx.x * 0.3f;
  out[threadIdx.x] = in[8 * __float2int_rd(at)] + in[8 * __float2int_rn(at)] + in[8 * __float2int_ru(at)] + in[8 * lroundf(at)] +
                     in[8 * __double2int_rz(threadIdx.x / 3.0)];
}
// CHECK-LABEL: nearest
// CHECK: 22:22 {{.*}}load 32 {{ *}}1 {{ *}}10 {{.*}}exact
// CHECK: 22:{{[0-9]+}} {{.*}}_rn(at){{.*}}load 32 {{ *}}1 {{ *}}10 {{.*}}exact
// CHECK: 22:{{[0-9]+}} {{.*}}_ru(at){{.*}}load 32 {{ *}}1 {{ *}}11 {{.*}}exact
// CHECK: 22:{{[0-9]+}} {{.*}}lroundf(at){{.*}}load 32 {{ *}}1 {{ *}}10 {{.*}}exact
// CHECK: 23:{{[0-9]+}} {{.*}}load 32 {{ *}}1 {{ *}}11 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void histogram(int *out) {
  __shared__ int bins[64];
  bins[threadIdx.x] = bins[threadIdx.x + 32] = 0;
  __syncthreads();
  atomicAdd(&bins[min(static_cast<int>(sqrtf(threadIdx.x * 7.0f) * 2.0f), 63)], 1);
  atomicAdd(&bins[static_cast<int>(fmodf(threadIdx.x * 1.5f, 7.0f))], 1);
  atomicAdd(&bins[static_cast<int>(threadIdx.x / 3.0f)], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}
// A division, a root and a remainder that the options leave to approximations may be anything.
// CHECK-LABEL: histogram
// CHECK: 37:3 {{.*}}atomic 32 {{ *}}1 {{.*}}assumed
// CHECK: 38:3 {{.*}}atomic 32 {{ *}}1 {{.*}}assumed
// CHECK: 39:3 {{.*}}atomic 32 {{ *}}1 {{.*}}assumed
// FAST-LABEL: histogram
// FAST: 37:3 {{.*}}atomic 32 {{ *}}? {{.*}}unknown
// FAST: 38:3 {{.*}}atomic 32 {{ *}}? {{.*}}unknown
// FAST: 39:3 {{.*}}atomic 32 {{ *}}? {{.*}}unknown
// FAST: unknown: result of a square root that is approximated
// FAST: unknown: result of a remainder of an approximated division
// FAST: unknown: result of a division that is approximated

// smem-lint: launch block=(32) grid=(2)
__global__ void of_integers(const float *in, float *out) {
  out[__umul24(blockIdx.x, blockDim.x) + threadIdx.x] = in[__mul24(threadIdx.x, 3)] + in[8 * __usad(threadIdx.x, 16, 2)] +
                                                        in[8 * __uhadd(threadIdx.x, 5)] + in[8 * __urhadd(threadIdx.x, 4)] +
                                                        in[8 * __ffs(threadIdx.x)] + in[8 * __mul64hi(1ll << 62, threadIdx.x)];
}
// CHECK-LABEL: of_integers
// CHECK: 58:{{[0-9]+}} out[__umul24{{.*}}store 32 {{ *}}2 {{ *}}8 {{.*}}exact
// CHECK: 58:{{[0-9]+}} in[__mul24{{.*}}load 32 {{ *}}2 {{ *}}24 {{.*}}exact
// CHECK: 58:{{[0-9]+}} in[8 * __usad{{.*}}load 32 {{ *}}2 {{ *}}34 {{.*}}exact
// CHECK: 59:{{[0-9]+}} in[8 * __uhadd{{.*}}load 32 {{ *}}2 {{ *}}34 {{.*}}exact
// CHECK: 59:{{[0-9]+}} in[8 * __urhadd{{.*}}load 32 {{ *}}2 {{ *}}34 {{.*}}exact
// CHECK: 60:{{[0-9]+}} in[8 * __ffs{{.*}}load 32 {{ *}}2 {{ *}}12 {{.*}}exact
// CHECK: 60:{{[0-9]+}} in[8 * __mul64hi{{.*}}load 32 {{ *}}2 {{ *}}16 {{.*}}exact

// A product and the sum behind it are one instruction or two: 3 * 0.9 + 0.3 is 3 if it is rounded once, and just below if twice. Whole numbers
// are where they were; of a product that comes in on two ways nothing is said.
// smem-lint: launch block=(32) grid=(1) n=3
__global__ void rounded(const float *in, float *out, int n) {
  const float tenths = threadIdx.x * 0.9f;
  out[threadIdx.x] = in[static_cast<int>(fmaf(threadIdx.x, 0.9f, 0.3f))] + in[static_cast<int>(__fadd_rn(tenths, 0.3f))] +
                     in[static_cast<int>(tenths + 0.3f)] + in[static_cast<int>(threadIdx.x * 0.5f + 0.25f)];
  float other = threadIdx.x;
  for (int i = 0; i < n; ++i)
    other = other * 0.3f;
  out[static_cast<int>(other + 1)] = 0;
  out[static_cast<int>(powf(threadIdx.x, 2.0f))] = 0;
}
// CHECK-LABEL: rounded
// CHECK: 76:22 {{.*}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK: 76:76 {{.*}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK: 77:22 {{.*}}load 32 {{ *}}? {{.*}}unknown
// CHECK: 77:60 {{.*}}load 32 {{ *}}1 {{ *}}2 {{.*}}exact
// CHECK: 81:{{[0-9]+}} {{.*}}store 32 {{ *}}? {{.*}}unknown
// CHECK: 82:{{[0-9]+}} {{.*}}store 32 {{ *}}? {{.*}}unknown
// CHECK: unknown: result of a sum of products, which may be rounded once or twice (line 77)
// CHECK: unknown: result of powf() (line 82)
// APART-LABEL: rounded
// APART: 77:22 {{.*}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void statements(const float *in, float *out) {
  const float x = threadIdx.x;
  int down;
  float once, twice, either, approximated;
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(down) : "f"(x * 0.3f));
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(once) : "f"(x), "f"(0.9f), "f"(0.3f));
  asm("{ .reg .f32 p; mul.rn.f32 p, %1, %2; add.rn.f32 %0, p, %3; }" : "=f"(twice) : "f"(x), "f"(0.9f), "f"(0.3f));
  asm("{ .reg .f32 p; mul.f32 p, %1, %2; add.f32 %0, p, %3; }" : "=f"(either) : "f"(x), "f"(0.9f), "f"(0.3f));
  asm("div.approx.f32 %0, %1, %2;" : "=f"(approximated) : "f"(x), "f"(2.5f));
  out[threadIdx.x] = in[8 * down] + in[8 * static_cast<int>(once)] + in[8 * static_cast<int>(twice)] + in[8 * static_cast<int>(either)] +
                     in[8 * static_cast<int>(approximated)];
}
// CHECK-LABEL: statements
// CHECK: 106:22 {{.*}}load 32 {{ *}}1 {{ *}}10 {{.*}}exact
// CHECK: 106:37 {{.*}}load 32 {{ *}}1 {{ *}}29 {{.*}}exact
// CHECK: 106:{{[0-9]+}} {{.*}}(twice){{.*}}load 32 {{ *}}1 {{ *}}29 {{.*}}exact
// CHECK: 106:{{[0-9]+}} {{.*}}(either){{.*}}load 32 {{ *}}? {{.*}}unknown
// CHECK: 107:{{[0-9]+}} {{.*}}load 32 {{ *}}? {{.*}}unknown
// CHECK: unknown: result of a sum of products, which may be rounded once or twice (line 104)
// CHECK: unknown: result of div.approx.f32 (line 105)
