// Stores of a then and an else block that nvcc makes one have no line, and count on that of whatever stands before them in the end: the address of a store that follows behind a barrier, as ptxas computes addresses early
// (by machine code the merged store of `behind_a_barrier` counts on the line of the last one, and so does that of `predicated`).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=5
__global__ void behind_a_barrier(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float sum = 2, x = in[t];
  for (int k = 0; k < n; ++k)
    sum += s[k] * sum;
  if (t < 40)
    out[t] = sum;
  else
    out[t] = x; // store 32 assumed
  __syncthreads();
  out[t + 900] = s[t ^ 3]; // store 32 assumed
}
// CHECK: behind_a_barrier grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=5
__global__ void predicated(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float x = in[t];
  if (t < 40)
    out[t] = 2;
  else
    out[t] = x; // store 32 assumed
  __syncthreads();
  if (t < 60)
    out[t + 900] = s[t ^ 3]; // store 32 assumed
}
// CHECK: predicated grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// Accesses of another kind keep their lines.
// smem-lint: launch block=(128) grid=(1) n=5
__global__ void of_another_kind(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[128], w[128];
  const int t = threadIdx.x;
  s[t] = in[t + 128];
  __syncthreads();
  float x = in[t];
  if (t < 40)
    w[t] = 2;
  else
    w[t] = x; // store 32 assumed
  __syncthreads();
  out[t + 900] = s[t ^ 3] + w[t ^ 1]; // store 32 exact
}
// CHECK: of_another_kind grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
