// Which lanes wait for which where the cases of a switch fall through depends on how it is compiled, if there are several such places.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void twice(const float *x, float *out) {
  float v = 1;
  switch (threadIdx.x & 3) {
  case 3:
    v += x[threadIdx.x + 1];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{ *}}1 {{.*}}exact
  case 2:
    v *= x[threadIdx.x * 2];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{.*}}assumed
  case 1:
    v -= x[threadIdx.x ^ 5];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{.*}}assumed
  default: break;
  }
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}store 32 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void none(const float *x, float *out) {
  float v = 1;
  switch (threadIdx.x & 3) {
  case 3: v += x[threadIdx.x + 1]; break;
  case 2: v *= x[threadIdx.x * 2 + 99]; break;
  case 1: v -= x[(threadIdx.x ^ 5) + 999]; break;
  default: break;
  }
  out[threadIdx.x] = v;
}
// CHECK: none
// CHECK-NOT: fall through

// Two rows of cases: which of the ends lanes wait at is not known.
// smem-lint: launch block=64 grid=1
__global__ void two_rows(const double *in, double *out) {
  __shared__ double s[136];
  const int t = threadIdx.x;
  s[t] = 0;
  s[t + 64] = 1;
  __syncthreads();
  const double v = in[t];
  switch (t & 3) {
  case 0: s[t] = in[t];
  // CHECK-DAG: [[#@LINE+1]]:20  s[t * 2] {{.*}} assumed
  case 1: s[t * 2] += in[t + 1]; break;
  case 2: s[t ^ 2] += in[t + 2];
  // CHECK-DAG: [[#@LINE+1]]:17  s[t] {{.*}} assumed
  default: s[t] = v + 1;
  }
  __syncthreads();
  out[t] = s[t] + s[t + 1];
}
