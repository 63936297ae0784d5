// Adjacent words that a loop of unknown length steps through, from a constant further on: where cicc lets its pointer begin decides what ptxas merges. Machine code, CUDA 13.0, sm_90: LDS and STS of words
// alone (14 rows of 7 kernels), pairs where the loop begins at the array's first word.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=90
__global__ void further_on(const float *in, float *out, int n) {
  __shared__ float w[512];
  const int t = threadIdx.x;
  for (int i = t; i < 512; i += 128)
    w[i] = in[i];
  __syncthreads();
  float v = 0;
  for (int j = 0; j < n; j++)
    v += w[2 * t + 8 + j]; // load 64 assumed
  out[t] = v;
}
// CHECK: further_on grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 64 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=90
__global__ void from_the_first(const float *in, float *out, int n) {
  __shared__ float w[512];
  const int t = threadIdx.x;
  for (int i = t; i < 512; i += 128)
    w[i] = in[i];
  __syncthreads();
  float v = 0;
  for (int j = 0; j < n; j++)
    v += w[2 * t + j]; // load 64 exact
  out[t] = v;
}
// CHECK: from_the_first grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 64 {{.*}}exact
