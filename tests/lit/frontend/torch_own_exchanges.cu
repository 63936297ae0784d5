// A source that includes no header of PyTorch's with exchanges within a warp has its own by those names.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not=warning: %s
#include <ATen/ATen.h>
template <typename T>
__device__ __forceinline__ T WARP_SHFL_XOR(T value, int mask, int width = warpSize, unsigned lanes = 0xffffffff) {
  return __shfl_xor_sync(lanes, value, mask, width);
}
__global__ void sum(float *p) {
  float value = p[threadIdx.x];
  for (int mask = 16; mask > 0; mask /= 2)
    value += WARP_SHFL_XOR(value, mask);
  p[threadIdx.x] = value;
}
void run(float *p) { sum<<<1, 32>>>(p); }
// CHECK: sum  grid=(1) block=(32)
// CHECK: [[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
