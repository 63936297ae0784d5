// A pointer into shared memory that moves is as aligned as its start and its steps: LDS.64; of three words LDS.32 (14 kernels, machine code compared).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(1) n=16
__global__ void by_two(const float *x, float *out, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (const float *p = s, *end = s + n; p < end; p += 2)
    sum += p[0] * p[1];
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}by_two 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 64 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1) n=15
__global__ void by_three(const float *x, float *out, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (const float *p = s, *end = s + n; p < end; p += 3)
    sum += p[0] * p[1] + p[2];
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}by_three 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 {{.*}}exact
