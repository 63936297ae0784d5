// A loop of known length that ptxas makes straight, in a loop that does not change its addresses: all of its loads leave that loop. Machine code, CUDA 13.0, sm_90: 64 loads, not 8 x 64, for inner
// lengths of 64 and 96 (110 of 720 kernels of 5 outer loops, 9 lengths, 4 addresses and 4 bodies).
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) n=8
__global__ void unchanged(const float *in, float *out, int n) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    s[i] = in[i];
  __syncthreads();
  float v = 0;
  for (int r = 0; r < n; r++)
    for (int j = 0; j < 64; j++)
      v += s[threadIdx.x + j * 3] * r; // load 32 assumed
  out[threadIdx.x] = v;
}
// CHECK: unchanged grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32) grid=(1)
__global__ void behind_a_barrier(const float *in, float *out) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    s[i] = in[i];
  float v = 0;
  for (int r = 0; r < 8; r++) {
    __syncthreads();
    for (int j = 0; j < 64; j++)
      v += s[threadIdx.x + j * 3] * r; // load 32 exact
  }
  out[threadIdx.x] = v;
}
// CHECK: behind_a_barrier grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// ptxas tells shared arrays apart: a store to another one keeps nothing in the loop.
// smem-lint: launch block=(256) grid=(1) n=8
__global__ void beside_another_array(const float *in, float *out, int n) {
  __shared__ float s[1024], q[2048];
  const int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256)
    s[i] = in[i];
  __syncthreads();
  float v = 0;
  for (int r = 0; r < n; ++r) {
    for (int j = 0; j < 64; ++j)
      v += s[t + 3 * j] * r; // load 32 assumed
    q[(t * 8 + r) & 2047] = v;
  }
  __syncthreads();
  out[t] = q[t * 5 & 2047];
}
// CHECK: beside_another_array grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
