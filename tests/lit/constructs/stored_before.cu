// What a then block has stored cicc may keep in a register there, so that the load behind the branch is for the other lanes alone, wherever the address is computed in the block first; and what was
// loaded before it for it is loaded on either way. Machine code, CUDA 13.0, sm_90: 216 of 1,584 kernels. A barrier between keeps the load.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void loaded_behind(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 40)
    s[t + 64] = 3;
  out[t] = s[t + 64]; // assumed
}
// CHECK: loaded_behind grid=
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void loaded_for_the_store(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const float x = s[t]; // assumed
  if (t < 40)
    s[t] = x + 1;
  out[t] = s[t];
}
// CHECK: loaded_for_the_store grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void behind_a_barrier(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 40)
    s[t + 64] = 3;
  __syncthreads();
  out[t] = s[t + 64]; // exact
}
// CHECK: behind_a_barrier grid=
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}{{.*}}exact
