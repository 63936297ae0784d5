// An exchange, or a barrier of the warp, that names lanes which are elsewhere. ptxas has WARPSYNC.ALL there and no BSSY and BSYNC around it, so that lanes that do not come
// to it are not waited for afterwards, either: what follows is one request only if they reconverge.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void loop_that_lanes_leave(const int *in, int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK-LABEL: {{^}}loop_that_lanes_leave
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  int v = threadIdx.x;
  for (int i = 0; i < int(threadIdx.x) % 3; ++i)
    v += s[(threadIdx.x + i) & 63] + __shfl_xor_sync(~0u, v, 1);
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{.*}}assumed
}
// CHECK: assumed: lanes that do not come to an exchange or a barrier of the warp that names them reconverge with the others after it [assumed-missing-lanes]

// smem-lint: launch block=(32) grid=(1)
__global__ void half_of_them(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_down_sync(~0u, v, 8);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}half_of_them
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{.*}}assumed
}

// smem-lint: launch block=(32) grid=(1)
__global__ void barrier_of_the_warp(int *out) {
  __shared__ int s[32];
  if (threadIdx.x < 16) {
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
  }
  // Nothing follows that the other lanes do.
  // CHECK-LABEL: {{^}}barrier_of_the_warp
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{.*}}exact
}

// Data decide which lanes come.
// smem-lint: launch block=(32) grid=(1)
__global__ void lanes_that_data_choose(const int *in, int *out) {
  int v = threadIdx.x;
  if (in[threadIdx.x] > 4)
    v = __ballot_sync(~0u, v & 1);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}lanes_that_data_choose
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{.*}}assumed
}

// smem-lint: launch block=(32) grid=(1)
__global__ void named_as_they_come(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_down_sync(0xffff, v, 8);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}named_as_they_come
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1) n=20
__global__ void others_have_ended(int *out, int n) {
  if (threadIdx.x >= n) return;
  int v = threadIdx.x;
  v += __shfl_xor_sync(~0u, v, 1);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}others_have_ended
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}3 {{.*}}exact
}

// Though it is not known which way, all lanes go the same.
// smem-lint: launch block=(32) grid=(1)
__global__ void all_or_none(const int *in, int *out) {
  int v = threadIdx.x;
  if (in[blockIdx.x] > 4)
    v += __shfl_xor_sync(~0u, v, 1);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}all_or_none
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
}

// smem-lint: launch block=(64) grid=(1)
__global__ void whole_warps(const int *in, int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 32)
    v += __shfl_xor_sync(~0u, v, 1);
  out[threadIdx.x] = v;
  // CHECK-LABEL: {{^}}whole_warps
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}2 {{ *}}8 {{.*}}exact
}
