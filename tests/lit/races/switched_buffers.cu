// Two buffers that one exclusive or exchanges, as hand-tuned matrix products have them: the address is a number that a statement has made of the pointer.
// RUN: %lint %s | FileCheck %s
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  unsigned address;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(address) : "l"(pointer));
  return address;
}
__device__ __forceinline__ void store(float value, const unsigned &address) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value));
}
__device__ __forceinline__ float load(const unsigned &address) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(address));
  return value;
}

// smem-lint: launch block=(256) grid=(1) rounds=511
__global__ void switched(float *out, int rounds) {
  __shared__ __align__(8192) float buffers[2][1024];
  unsigned in = shared_address(&buffers[0][threadIdx.x]), from = in;
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    store(sum, in + i * 1024);
  __syncthreads();
  in ^= 4096;
  for (; rounds > 0; --rounds) {
    for (int i = 0; i < 4; ++i)
      sum += load(from + i * 1024);
    for (int i = 0; i < 4; ++i)
      store(sum, in + i * 1024);
    __syncthreads();
    in ^= 4096, from ^= 4096;
  }
  out[threadIdx.x] = sum;
}
// CHECK-NOT: error
// CHECK: store 32 {{ *}}32 {{ *}}32 {{ *}}32 {{ *}}- {{ *}}exact
// CHECK: store 32 {{ *}}16,352 {{ *}}16,352 {{ *}}16,352 {{ *}}- {{ *}}exact
// CHECK: load 32 {{ *}}16,352 {{ *}}16,352 {{ *}}16,352 {{ *}}- {{ *}}exact
// CHECK: races: none
