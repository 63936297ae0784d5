// Members that are stored together, and one of them again behind a barrier: the merged store counts on the line of the member that is last in memory among those merged, not of a later one.
// Machine code, CUDA 13.0, sm_90: 128 kernels, all rows agree.
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

// smem-lint: launch block=(256) grid=(1)
__global__ void wide_then_narrow(const float *in, float *out) {
  __shared__ __align__(16) float s[1024];
  const int i = threadIdx.x;
  const float x = in[i], y = in[i + 256];
  s[4 * i + 0] = x;
  s[4 * i + 1] = y;
  s[4 * i + 2] = x + y;
  s[4 * i + 3] = x - y; // store 128 exact
  __syncthreads();
  out[i] = s[(i * 37) & 1023];
  __syncthreads();
  s[4 * i + 0] = y * 2;
  s[4 * i + 1] = x * 3; // store 64 exact
  __syncthreads();
  out[i + 256] = s[(i * 41) & 1023];
}
// CHECK: wide_then_narrow grid=
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{[0-9]+}} {{.*}}store 128 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 64 {{.*}}exact
