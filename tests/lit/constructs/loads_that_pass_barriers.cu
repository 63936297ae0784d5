// What only is read and a loop loads again and again goes before the loop, past barriers, and has no line then: it may count with what stands before them in the same block.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void read_before_the_barrier(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ weights, int n, int m) {
  const int i = threadIdx.x;
  __shared__ float s[128];
  out[i + 512] = weights[m];
  s[i] = n;
  __syncthreads();
  for (int j = 0; j < 3; ++j) {
    s[i ^ 1] += in[i];
    __syncthreads();
  }
  out[i] = s[i];
}
// CHECK-LABEL: {{^}}read_before_the_barrier 
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void written_perhaps(float *out, const float *in, const float *weights, int n, int m) {
  const int i = threadIdx.x;
  __shared__ float s[128];
  out[i + 512] = weights[m];
  s[i] = n;
  __syncthreads();
  for (int j = 0; j < 3; ++j) {
    s[i ^ 1] += in[i];
    __syncthreads();
  }
  out[i] = s[i];
}
// CHECK-LABEL: {{^}}written_perhaps 
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{.*}}load 32 {{.*}}exact
