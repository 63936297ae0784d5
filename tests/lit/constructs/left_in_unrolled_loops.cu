// What full unrolling brings out of inner loops stays in the loop around them until that has been unrolled in part: then it leaves the iterations that are made one and those that are
// left over, each of them. Machine code, CUDA 13.0, sm_90.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(48) grid=(4) trips=23
__global__ void counted(const float *in, float *out, int trips) {
  __shared__ float s[16][19];
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 304; i += 48)
    s[i / 19][i % 19] = in[i];
  __syncthreads();
  float v = 0;
  for (int i = 0; i < trips; ++i)
    for (int j = 0; j < 4; ++j)
      v += s[lane & 15][j]; // twice in each of 8 warps: LDS of 4 columns before the loop, and before what is left over
  out[blockIdx.x * 48 + threadIdx.x] = v;
}
// CHECK: counted grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{ *}}64 {{ *}}64 {{.*}}assumed

// smem-lint: launch block=(48) grid=(4) trips=23
__global__ void not_unrolled(const float *in, float *out, int trips) {
  __shared__ float s[16][19];
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 304; i += 48)
    s[i / 19][i % 19] = in[i];
  __syncthreads();
  float v = 0;
#pragma unroll 1
  for (int i = 0; i < trips; ++i)
    for (int j = 0; j < 4; ++j)
      v += s[lane & 15][j];
  out[blockIdx.x * 48 + threadIdx.x] = v;
}
// CHECK: not_unrolled grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{ *}}32 {{ *}}32 {{.*}}assumed

// smem-lint: launch block=(48) grid=(4)
__global__ void nothing_left_over(const float *in, float *out) {
  __shared__ float s[16][19];
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 304; i += 48)
    s[i / 19][i % 19] = in[i];
  __syncthreads();
  float v = 0;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 4; ++j)
      v += s[lane & 15][j];
  out[blockIdx.x * 48 + threadIdx.x] = v;
}
// CHECK: nothing_left_over grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{ *}}32 {{ *}}32 {{.*}}assumed
