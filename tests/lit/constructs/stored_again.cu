// Members that are stored together, and one of them again behind a barrier: the merged store counts on the line of the member that is last in memory among those merged, not of a later one.
// Machine code, CUDA 13.0, sm_90: 65 kernels, all agree.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void again(const float *in, float *out) {
  __shared__ float2 a[128];
  const int t = threadIdx.x;
  const float x = in[t];
  a[t].x = x;
  a[t].y = x * 2; // store 64 exact
  __syncthreads();
  out[t] = a[127 - t].x + a[127 - t].y;
  __syncthreads();
  a[t].y = x + 1; // store 32 exact
  __syncthreads();
  out[t + 128] = a[127 - t].x * a[127 - t].y;
}
// CHECK: again grid=
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{[0-9]+}} {{.*}}store 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void both_again(const float *in, float *out) {
  __shared__ float2 a[128];
  const int t = threadIdx.x;
  const float x = in[t];
  a[t].x = x;
  a[t].y = x * 2; // store 64 exact
  __syncthreads();
  out[t] = a[127 - t].x + a[127 - t].y;
  __syncthreads();
  a[t].x = x - 1;
  a[t].y = x + 1; // store 64 exact
  __syncthreads();
  out[t + 128] = a[127 - t].x * a[127 - t].y;
}
// CHECK: both_again grid=
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{[0-9]+}} {{.*}}store 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 64 {{.*}}exact
