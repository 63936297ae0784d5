// `(x + i) * 9 + y * 33`: cicc takes a common factor out of an index, and with it the constant of an unrolled loop into a product. Of two such sums it does not know that they are two
// places, so that their stores stay in the loop around them. Machine code, CUDA 13.0, sm_90.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32,2) grid=(2)
__global__ void one_factor(float *out, float v) {
  const int x = threadIdx.x, y = threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 8; ++k)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      out[(x ^ y) * 9 + x * 5 + i * 9] = v; // 3 stores in each of 8 iterations, 4 warps
}
// CHECK: one_factor grid=
// CHECK: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}store 32 {{ *}}96 {{ *}}2,688 {{.*}}assumed

// smem-lint: launch block=(32,2) grid=(2)
__global__ void two_factors(float *out, float v) {
  const int x = threadIdx.x, y = threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 8; ++k)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      out[(x ^ y) * 9 + x * 5 + i * 7] = v; // the constant stays at the end: once
}
// CHECK: two_factors grid=
// CHECK: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}store 32 {{ *}}12 {{ *}}336 {{.*}}exact

// smem-lint: launch block=(32,2) grid=(2)
__global__ void one_number(float *out, float v) {
  const int x = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 8; ++k)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      out[x * 9 + i * 9] = v; // and where it is all there is beside one number
}
// CHECK: one_number grid=
// CHECK: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}store 32 {{ *}}12 {{ *}}384 {{.*}}assumed
