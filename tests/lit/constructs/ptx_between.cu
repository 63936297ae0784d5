// Inline PTX that is about registers, `asm volatile` or not, with a "memory" clobber or without, is not there for ptxas, only what it says: what is loaded, stored or forwarded on both sides of it is
// one access. Of PTX that exchanges registers or computes on tensor cores that is not certain. Machine code, CUDA 13.0, sm_90: the second access of each pair is not there; with a barrier it is.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void loaded_twice(const int *in, int *out) {
  __shared__ int tile[160];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = 0;
  const int first = tile[threadIdx.x + 1]; // exact
  asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(first), "r"(first), "r"(sum) : "memory");
  const int second = tile[threadIdx.x + 1]; // none
  out[threadIdx.x] = sum + second;
}
// CHECK: loaded_twice grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:

// smem-lint: launch block=(128) grid=(1)
__global__ void stored_twice(const int *in, int *out) {
  __shared__ int tile[160];
  int c = in[threadIdx.x], v = in[threadIdx.x + 33];
  tile[threadIdx.x] = c; // none
  asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(v) : "r"(v), "r"(c), "r"(v));
  tile[threadIdx.x] = v; // exact
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x]; // exact
}
// CHECK: stored_twice grid=
// CHECK-NOT: {{^ *}}[[#@LINE-7]]:
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}{{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void forwarded(const float *in, float *out) {
  const float a = in[threadIdx.x];
  out[threadIdx.x] = a; // none
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[threadIdx.x] = a + lane; // exact
}
// CHECK: forwarded grid=
// CHECK-NOT: {{^ *}}[[#@LINE-6]]:
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void across_an_exchange(const int *in, int *out) {
  __shared__ int tile[160];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int first = tile[threadIdx.x + 1]; // assumed
  unsigned leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; }" : "=r"(leader));
  const int second = tile[threadIdx.x + 1]; // assumed
  out[threadIdx.x] = leader * first + second;
}
// CHECK: across_an_exchange grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}{{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void across_a_barrier(const int *in, int *out) {
  __shared__ int tile[160];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int first = tile[threadIdx.x + 1]; // exact
  __syncthreads();
  const int second = tile[threadIdx.x + 1]; // exact
  out[threadIdx.x] = first * second;
}
// CHECK: across_a_barrier grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}{{.*}}exact
