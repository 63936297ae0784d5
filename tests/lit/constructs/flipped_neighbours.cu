// Neighbours that a branch stands between, and that are neighbours by the bits that an index flips: ptxas loads them before the branch (LDS.128).
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void flipped(const float *__restrict__ in, float *__restrict__ out, float by) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    s[i * 128 + t] = in[i * 128 + t];
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    if (const float x = s[4 * (t ^ 1) + i]; x > by)
      out[4 * t + i] = x;
}
// CHECK: s[4 * (t ^ 1) + i] {{ *}}load 32 {{.*}}assumed
