// What is used behind a branch only, in any number of blocks, is loaded behind it. Machine code, CUDA 13.0, sm_90: in `before_loop` LDG stands behind
// `@P0 BRA` around the loop, in `before_branch` behind `@P0 EXIT`.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(16) n=1024 m=1100
__global__ void before_loop(const unsigned *in, float *out, int n, int m) {
  const int first = threadIdx.x + blockIdx.x * blockDim.x;
  const int stride = gridDim.x * blockDim.x;
  const unsigned w = in[first];
  unsigned x = 0;
  for (int i = first + n; i < m; i += stride) {
    x ^= w ^ i;
    out[i] = x;
  }
  out[first + 100000] = x;
}
// CHECK: before_loop
// CHECK: 10:{{.*}} load 32 {{ *}}3 {{ *}}10 {{.*}}assumed

// smem-lint: launch block=(64) grid=(16) n=100 m=30
__global__ void before_branch(const unsigned *in, float *out, int n, int m) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned w = in[i];
  if (i < n) {
    if (i > m)
      out[i] = w;
    else
      out[i + 1] = w * w;
  }
}
// CHECK: before_branch
// CHECK: 24:{{.*}} load 32 {{ *}}4 {{ *}}13 {{.*}}assumed
