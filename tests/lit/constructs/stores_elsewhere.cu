// What divides an address tells ptxas that a store does not change what was loaded or stored in shared memory before it: the load behind is gone. cicc, and LLVM, know that of indices
// whose terms are the same. Machine code, CUDA 13.0, sm_90: 162 of 1,140 kernels of two of 20 indices.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void multiples_of_four(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  __syncthreads();
  const float v = in[t + 999];
  const float x = s[5]; // load 32 assumed
  s[(t & 31) * 4] = v;  // store 32 exact
  const float y = s[5]; // load 32 assumed
  __syncthreads();
  out[t] = x + y + s[t ^ 2];
}
// CHECK: multiples_of_four grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void what_was_stored(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  __syncthreads();
  const float v = in[t + 999];
  s[4 * (t & 31 ^ 3) + 1] = v; // store 32 exact
  for (int k = 0; k < 7; k++)
    s[2 * (t ^ 1) % 64] = v + k;
  const float y = s[4 * (t & 31 ^ 3) + 1]; // load 32 assumed
  __syncthreads();
  out[t] = y + s[t ^ 2];
}
// CHECK: what_was_stored grid=
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void three_divides(const float *in, float *out) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  __syncthreads();
  const float v = in[t + 999];
  const float x = s[4 * t]; // load 32 assumed
  s[t + 1] = v;             // store 32 exact
  const float y = s[4 * t]; // load 32 assumed
  __syncthreads();
  out[t] = x + y + s[t ^ 2];
}
// CHECK: three_divides grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// Nothing divides these apart.
// smem-lint: launch block=(128) grid=(1)
__global__ void may_be_one(const float *in, float *out) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  __syncthreads();
  const float v = in[t + 999];
  const float x = s[4]; // load 32 exact
  s[(t & 31) * 4] = v;  // store 32 exact
  const float y = s[4]; // load 32 exact
  __syncthreads();
  out[t] = x + y + s[t ^ 2];
}
// CHECK: may_be_one grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// Global memory: one load where the model's alias analysis, which is cicc's, sees it, two where ptxas alone could.
// smem-lint: launch block=(128) grid=(1)
__global__ void in_global_memory(const float *in, float *out) {
  const int t = threadIdx.x;
  const float v = in[t + 999];
  const float x = out[5]; // load 32 exact
  out[(t & 31) * 4] = v;  // store 32 exact
  const float y = out[5]; // load 32 exact
  out[t + 5000] = x + y;
}
// CHECK: in_global_memory grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void multiples_of_three(const float *in, float *out) {
  const int t = threadIdx.x;
  const float v = in[t + 999];
  const float x = out[5]; // load 32 exact
  out[3 * t] = v;         // store 32 exact
  const float y = out[5]; // none
  out[t + 5000] = x + y;
}
// CHECK: multiples_of_three grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-6]]:
