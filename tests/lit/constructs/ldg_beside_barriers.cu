// `__ldg()` of one address on both sides of a barrier: nothing writes there, so that cicc makes one load of two, before the branch. Machine code, CUDA 13.0, sm_90: the second load is absent in 8 of 8 kernels.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void in_a_block_and_behind(const float *__restrict__ in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 8)
    s[t] = __ldg(in + t); // load 32 assumed
  __syncthreads();
  const float x = __ldg(in + t); // load 32 assumed
  out[t] = x + s[127 - t];
}
// CHECK: in_a_block_and_behind grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void of_two_addresses(const float *__restrict__ in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 8)
    s[t] = __ldg(in + t);
  __syncthreads();
  const float x = in[t + 256]; // load 32 exact
  out[t] = x + s[127 - t];
}
// CHECK: of_two_addresses grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
