// Masks of members: what a part of the warp finds out. Which accesses ptxas moves to where one part runs at a time is not followed.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void quarters(int *out) {
  __shared__ int tile[2048];
  const int lane = threadIdx.x;
  const unsigned quarter = 0xffu << (lane & 24);
  tile[lane] = 0;
  // CHECK: 10:{{.*}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  const unsigned third = __ballot_sync(quarter, lane % 3 == 0);
  tile[(__ffs(third) - 1) * 32 + lane % 8] = 1;
  // CHECK: 14:{{.*}}store 32 {{ *}}1 {{ *}}4 {{ *}}1 {{.*}}assumed
  if (__any_sync(quarter, lane == 3)) tile[lane * 4] = 2;
  // CHECK: 16:{{.*}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}assumed
  __syncthreads();
  out[lane] = tile[lane];
  // CHECK: 19:{{.*}}load 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void given(unsigned members, int *out) {
  __shared__ int tile[2048];
  const int lane = threadIdx.x;
  tile[__popc(__ballot_sync(members, lane & 1)) * lane] = 1;
  // CHECK: 27:{{.*}}store 32 {{.*}}unknown
  __syncthreads();
  out[lane] = tile[lane];
}

// smem-lint: launch block=(64) grid=(1)
__global__ void warps_in_part(int *out) {
  __shared__ int tile[2048], index[64];
  const int x = threadIdx.x;
  index[x] = x * 32;
  __syncthreads();
  tile[index[x]] = 1;
  // CHECK: 39:{{.*}}tile[index[x]] {{ *}}store 32 {{ *}}2 {{ *}}64 {{.*}}exact
  __syncthreads();
  out[x] = tile[x];
}

// smem-lint: launch block=(64) grid=(1)
__global__ void warps_of_some(int *out) {
  __shared__ int tile[2048], index[64];
  const int x = threadIdx.x;
  index[63 - x] = x * 32;
  asm volatile("bar.sync 1, 32;" ::: "memory");
  tile[index[x]] = 1;
  // CHECK: 51:{{.*}}tile[index[x]] {{ *}}store 32 {{.*}}unknown
  __syncthreads();
  out[x] = tile[x];
}
