// A load that leaves its loop has no line, and counts with what computes its index, perhaps in an earlier loop, barriers between or not. Machine code, CUDA 13.0, sm_90: 36 requests at in[i], of which
// 4 are r[threadIdx.x].
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=40
__global__ void in_an_earlier_loop(const float *in, const float *__restrict__ r, float *out, int n) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 128)
    s[i] = in[i]; // load 32 assumed
  __syncthreads();
  float v = 1;
  for (int j = 0; j < n; j++) {
    v += __shfl_xor_sync(~0u, v, 1);
    v += r[threadIdx.x];
  }
  out[threadIdx.x] = v + s[127 - threadIdx.x];
}
// CHECK: in_an_earlier_loop grid=
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=40
__global__ void nothing_hoisted(const float *in, const float *__restrict__ r, float *out, int n) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 128)
    s[i] = in[i]; // load 32 exact
  __syncthreads();
  float v = 0;
  for (int j = 0; j < n; j++) {
    v += __shfl_xor_sync(~0u, v, 1);
    v += r[threadIdx.x + j * 128];
  }
  out[threadIdx.x] = v + s[127 - threadIdx.x];
}
// CHECK: nothing_hoisted grid=
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
