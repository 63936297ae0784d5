// A warp-synchronous reduction races on each of its lines with each other: one note names the lines.
// RUN: %lint-short --checks=-*,smem-race %s | FileCheck %s
#include <cuda_runtime.h>

__device__ void reduce_warp(volatile float *sums, int t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  sums[t] += sums[t + 4];
}

// smem-lint: launch block=(64) grid=(1)
__global__ void reduce(const float *in, float *out) {
  __shared__ float sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  if (t < 32)
    reduce_warp(sums, t);
  if (t == 0)
    out[0] = sums[0];
}
// CHECK: warp_synchronous.cu:7:{{.*}}note: race of lanes of one warp: {{.*}}, with no __syncwarp() between them; 3 places: also in lines 8, 9 [smem-race]
// CHECK-NOT: note:

// smem-lint: launch block=(64) grid=(1)
__global__ void in_ptx(const float *in, float *out) {
  __shared__ float sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  out[threadIdx.x] = sums[threadIdx.x ^ 1];
}
