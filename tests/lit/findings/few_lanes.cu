// A claim about requests of all lanes has their figures, where the assumed launch has requests of fewer lanes only.
// RUN: %lint-short --fail-on=never %s | FileCheck %s
__global__ void firsts_of_warps(float4 *out) {
  __shared__ float4 x[256];
  const int lane = threadIdx.x % 32;
  x[threadIdx.x % 256] = out[threadIdx.x];
  __syncthreads();
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: 8-way bank conflict: load of x[lane * 8] takes 32 wavefronts instead of 4, in warps whose lanes are all active
  if (lane < blockDim.x / 32)
    out[threadIdx.x] = x[lane * 8];
}
