// A load that one block of a branch uses goes there, unless the block is so cheap that a select replaces the branch. Calls, divisions and floating point that
// become integers are not cheap, however little is left of them in the end.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct Half { __device__ float operator()(float v) const { return v / (1.0f + v); } };

// smem-lint: launch block=(32) grid=(1)
__global__ void product(const float *x, float *y) {
  const float v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
  y[threadIdx.x] = threadIdx.x < 8 ? v * v + 1.0f : 0.0f;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void quotient(const float *x, float *y, float by) {
  const float v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  y[threadIdx.x] = threadIdx.x < 8 ? v / by : 0.0f;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void least(const int *x, int *y, int bound) {
  const int v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  y[threadIdx.x] = threadIdx.x < 8 ? min(v, bound) : 0;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void by_eight(const int *x, int *y) {
  const int v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  y[threadIdx.x] = threadIdx.x < 8 ? v / 8 : 0;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void through_functions(const float *x, float *y, float by, Half act) {
  const float v = act(x[threadIdx.x]);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  y[threadIdx.x] = threadIdx.x < 8 ? v / by : 0.0f;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void five(const unsigned *x, unsigned *y) {
  const unsigned v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
  y[threadIdx.x] = threadIdx.x < 8 ? ((v * 3 ^ 85) + 7) * 5 ^ 153 : 0;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void six(const unsigned *x, unsigned *y) {
  const unsigned v = x[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}x[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  y[threadIdx.x] = threadIdx.x < 8 ? (((v * 3 ^ 85) + 7) * 5 ^ 153) + 11 : 0;
}
