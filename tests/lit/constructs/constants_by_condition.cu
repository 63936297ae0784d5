// `if (t == 0) v = s[t];`: to nvcc that is s[0], a constant place, whose load cannot fail: all lanes do it, and select. Machine code, CUDA 13.0, sm_90: 4 requests for 1. With an else block, in global
// memory, and where another value is in the address, the branch stays.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void of_lane_zero(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = in[t + 1];
  if (t == 0)
    v = s[t] * 2; // assumed
  out[t] = v;
}
// CHECK: of_lane_zero grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=3
__global__ void with_another_value(const float *in, float *out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = in[t + 1];
  if (t == 0)
    v = s[t + n] * 2; // exact
  out[t] = v;
}
// CHECK: with_another_value grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=3
__global__ void by_another_value(const float *in, float *out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = in[t + 1];
  if (n == 3)
    v = s[t * 2 & 127] * 2; // exact
  out[t] = v;
}
// CHECK: by_another_value grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}exact

// Functions of libdevice are calls to nvcc until nothing if-converts: a load beside one stays in its block, and on its line.
// smem-lint: launch block=(128) grid=(1)
__global__ void beside_a_function(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = in[t + 1];
  if (t < 40)
    v = fmaxf(v, s[5]); // exact
  out[t] = v;
}
// CHECK: beside_a_function grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void beside_a_function_in_a_loop(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = in[t + 1];
  for (int j = 0; j < 8; j++)
    if (t > j)
      v = fmaxf(v, s[j]); // exact
  out[t] = v;
}
// CHECK: beside_a_function_in_a_loop grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}{{.*}}exact

// Two words of a window of four that are not merged, on two lines: ptxas has both on one of the lines.
// smem-lint: launch block=(32) grid=(1)
__global__ void middle_words(const float *in, float *out) {
  __shared__ float s[160];
  const int t = threadIdx.x;
  for (int k = t; k < 160; k += 32)
    s[k] = in[k];
  __syncthreads();
  const float x = s[4 * t + 1]; // assumed
  const float y = s[4 * t + 2]; // assumed
  out[t] = x * y;
}
// CHECK: middle_words grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}{{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(32) grid=(1)
__global__ void on_one_line(const float *in, float *out) {
  __shared__ float s[160];
  const int t = threadIdx.x;
  for (int k = t; k < 160; k += 32)
    s[k] = in[k];
  __syncthreads();
  out[t] = s[4 * t + 1] * s[4 * t + 2]; // exact
}
// CHECK: on_one_line grid=
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}{{.*}}exact
