// A virtual call on an object in shared memory: its address and the table's come from there, the function's from global memory. Machine code, CUDA 13.0,
// sm_90: LDS.64, LD.64 and LD at the call; whether lanes meet again behind it is assumed.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct Base {
  __device__ virtual void put(int value) { *at = value; }
  int *at;
};
struct Other : Base {
  __device__ void put(int value) override { *at = value * 2; }
};

__shared__ Base *chosen;
__shared__ __align__(8) unsigned char place[sizeof(Other)];

__device__ void *operator new(size_t, void *, int) { return place; }

// smem-lint: launch block=(32) grid=(1) n=1
__global__ void calls(int *out, int n) {
  if (threadIdx.x == 0) {
    chosen = n ? new (place, 0) Other : new (place, 0) Base;
    chosen->at = out;
  }
  __syncthreads();
  chosen->put(threadIdx.x);
  out[threadIdx.x + 32] = n;
}
// CHECK: calls
// CHECK: shared memory
// CHECK: 26:3 {{.*}} load 64 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}-  assumed (1)
// CHECK: 26:11 {{.*}} load 64 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}-  assumed (1)
// CHECK: global memory
// CHECK: 26:11 {{.*}} load 64 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}assumed
// CHECK: (1) assumed: lanes that diverge in the call through a function pointer (line 26) reconverge after it
