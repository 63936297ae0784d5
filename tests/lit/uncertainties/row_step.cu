// A pointer that steps by rows of blockDim.x is to the midst of the words it is read at, where the array is not declared to be aligned: not all of them merge. Seen in nvcc's machine code.
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: {{^}}rows_of_four
// CHECK: q[0] {{ *}}load {{.*}}assumed
__global__ void rows_of_four(float *p, float *o, int n) {
  __shared__ float s[2048];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * blockDim.x + tx;
  for (int i = 0; i < 4; i++)
    s[4 * t + i] = p[t * 4 + i];
  __syncthreads();
  float a = 0;
#pragma unroll 1
  for (int y = 0; y < n; y++) {
    const float *q = s + 4 * (y * blockDim.x + tx);
    a += q[0] * q[1] + q[2] * q[3];
  }
  o[t] = a;
}

// CHECK-LABEL: {{^}}rows_of_two
// CHECK: s[2 * (y * blockDim.x + tx)] {{ *}}load {{.*}}assumed
__global__ void rows_of_two(float *p, float *o, int n) {
  __shared__ float s[2048];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * blockDim.x + tx;
  for (int i = 0; i < 4; i++)
    s[4 * t + i] = p[t * 4 + i];
  __syncthreads();
  float a = 0;
  for (int y = 0; y < n; y++)
    a += s[2 * (y * blockDim.x + tx)] - s[2 * (y * blockDim.x + tx) + 1];
  o[t] = a;
}

// Dynamic shared memory is aligned to 16 bytes: cicc merges there.
// CHECK-LABEL: {{^}}dynamic_rows
// CHECK: s[(y * blockDim.x + tx) * 2] {{ *}}load 64 {{.*}}exact
__global__ void dynamic_rows(float *p, float *o, int n) {
  extern __shared__ float d[];
  float *s = d;
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
  for (int i = 0; i < 4; i++)
    s[4 * t + i] = p[t * 4 + i];
  __syncthreads();
  float a = 0;
  for (int y = 0; y < n; y++)
    a += s[(y * blockDim.x + tx) * 2] * s[(y * blockDim.x + tx) * 2 + 1];
  o[t] = a;
}

void run(float *p, float *o) {
  rows_of_four<<<2, dim3(32, 16)>>>(p, o, 15);
  rows_of_two<<<2, dim3(32, 16)>>>(p, o, 15);
  dynamic_rows<<<2, dim3(32, 16), 8192>>>(p, o, 15);
}
