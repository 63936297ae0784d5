// A vector that a branch or a loop hands on: ptxas loads the words that something uses. Machine code, CUDA 13.0, sm_90: two LDG for q.x and q.w, LDG.128 where three words are used.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=90
__global__ void two_of_four(const float4 *in, float *out, int n) {
  const int t = threadIdx.x;
  float4 q;
  if (t < n)
    q = in[t]; // assumed
  else
    q = make_float4(1, 2, 3, 4);
  out[t] = q.x + q.w;
}
// CHECK: two_of_four grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=90
__global__ void all_four(const float4 *in, float *out, int n) {
  const int t = threadIdx.x;
  float4 q;
  if (t < n)
    q = in[t]; // exact
  else
    q = make_float4(1, 2, 3, 4);
  out[t] = q.x + q.y * q.z + q.w;
}
// CHECK: all_four grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}exact
