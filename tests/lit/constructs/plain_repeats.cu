// Accesses of one address that no compiler has a choice with: every figure is that of nvcc's machine code.
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// In one block, with nothing written in between: loaded once.
// CHECK-LABEL: {{^}}squares
// CHECK: s[j] {{ *}}load 32 {{ *}}16 {{ *}}16 {{.*}}exact
__global__ void squares(const float *in, float *out) {
  __shared__ float s[128];
  s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  const int j = threadIdx.x ^ 5;
  out[threadIdx.x] = s[j] * s[j] + s[j];
}

// A store to what may be the same place: whether nvcc takes it for that is another matter.
// CHECK-LABEL: {{^}}written_between
// CHECK: p[j + threadIdx.x] {{ *}}load 32 {{.*}}assumed
__global__ void written_between(const float *p, float *out, int j) {
  const float first = p[j + threadIdx.x]; float *to = out + threadIdx.x; *to = first; to[32] = p[j + threadIdx.x] * first; to[64] = p[j + threadIdx.x] * 2;
}

// What is volatile is neither made one nor repeated.
// CHECK-LABEL: {{^}}last_warp
// CHECK-COUNT-4: part[threadIdx.x{{.*}} load 32 {{ *}}16 {{ *}}16 {{.*}}exact
// CHECK-NOT: assumed (
// CHECK-LABEL: {{^}}rounds
__global__ void last_warp(const float *in, float *out) {
  __shared__ volatile float part[128];
  const int lane = threadIdx.x & 31;
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  if (lane < 16)
    part[threadIdx.x] += part[threadIdx.x + 16];
  if (lane < 8)
    part[threadIdx.x] += part[threadIdx.x + 8];
  if (lane == 0)
    out[blockIdx.x * 4 + threadIdx.x / 32] = part[threadIdx.x];
}

// Copies of a loop's body, and what is left over of it, are kept apart by the barrier: each iteration loads.
// CHECK: row[t + 1] {{ *}}load 32 {{ *}}88 {{ *}}88 {{.*}}exact
// CHECK: mine[t] {{ *}}load 32 {{ *}}88 {{ *}}88 {{.*}}exact
// CHECK: row[t + 1] {{ *}}store 32 {{ *}}88 {{.*}}exact
// CHECK-NOT: assumed (
// CHECK-LABEL: {{^}}reduction
__global__ void rounds(const int *in, int *out, int n) {
  __shared__ int mine[128], row[129];
  const int t = threadIdx.x;
  mine[t] = in[t];
  row[t + 1] = 0;
  __syncthreads();
  int most = 0;
  for (int i = 0; i < n; ++i) {
    const int down = max(row[t + 1] - 1, mine[t] * i);
    row[t + 1] = down;
    most = max(most, down);
    __syncthreads();
  }
  out[t] = most;
}

// Behind `t < 1` t is 0, which is put into `t + 1` and not into the address of sums[t], which all steps have in common; and a barrier stands between sums[1] and sums[0].
// CHECK-COUNT-5: sums[{{.*}}exact
// CHECK-NOT: assumed (
__global__ void reduction(const float *in, float *out) {
  __shared__ float sums[128];
  sums[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int o = 64; o > 0; o >>= 1) {
    if (threadIdx.x < o)
      sums[threadIdx.x] += sums[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[0];
}

int main() {
  float *x, *y;
  int *i, *j;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&y, 1 << 20);
  cudaMalloc(&i, 1 << 20);
  cudaMalloc(&j, 1 << 20);
  squares<<<4, 128>>>(x, y);
  written_between<<<1, 32>>>(x, y, 4);
  last_warp<<<4, 128>>>(x, y);
  rounds<<<1, 128>>>(i, j, 22);
  reduction<<<4, 128>>>(x, y);
}
