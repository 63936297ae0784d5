// What a store in a later block overwrites on all ways nvcc stores all the same: its LLVM looks for dead stores within a block (two `STG`, two `STS` in the machine code).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=50
__global__ void largest(const float *__restrict__ in, float *__restrict__ out, int n) {
  const int t = threadIdx.x;
  out[t] = 0; // store 32 assumed
  float best = 0;
  for (int k = 0; k < n; ++k)
    best = fmaxf(best, in[t + k * 128]);
  out[t] = best; // store 32 assumed
}
// CHECK: largest grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=50
__global__ void largest_shared(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = 0; // store 32 assumed
  float best = 0;
  for (int k = 0; k < n; ++k)
    best = fmaxf(best, in[t + k * 128]);
  s[t] = best; // store 32 assumed
  __syncthreads();
  out[t] = s[t ^ 1];
}
// CHECK: largest_shared grid=
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void around_a_branch(float *__restrict__ x, float *__restrict__ y) {
  const int t = threadIdx.x;
  y[t] = 1; // store 32 assumed
  if (x[t] > 0)
    x[t + 500] = 2;
  y[t] = 4; // store 32 assumed
}
// CHECK: around_a_branch grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// Within a block the first is gone.
// smem-lint: launch block=(128) grid=(1)
__global__ void within_a_block(const float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  out[t] = 0; // none
  const float v = in[t];
  out[t] = v * v; // store 32 exact
}
// CHECK: within_a_block grid=
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
