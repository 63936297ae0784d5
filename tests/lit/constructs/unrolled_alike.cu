// Under a pragma that says how often to unroll, what no iteration has in common with another counts alike, however nvcc unrolls. Figures of nvcc's machine code.
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: {{^}}by_rows
// CHECK: tile[i][t] {{ *}}store 32 {{ *}}32 {{ *}}32 {{.*}}exact
// CHECK: in[t + i * ld] {{ *}}load 32 {{ *}}32 {{.*}}exact
__global__ void by_rows(const float *in, float *out, int ld) {
  __shared__ float tile[16][33];
  const int t = threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < 16; ++i)
    tile[i][t] = in[t + i * ld];
  __syncthreads();
  out[blockIdx.x * 32 + t] = tile[t & 15][t];
}

// A barrier in each iteration keeps these apart, whatever their addresses are.
// CHECK-LABEL: {{^}}steps
// CHECK: s[t] {{ *}}store 32 {{ *}}28 {{ *}}28 {{.*}}exact
// CHECK: s[t ^ 3] {{ *}}load 32 {{ *}}28 {{ *}}28 {{.*}}exact
__global__ void steps(const float *in, float *out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  float sum = 0;
#pragma unroll 2
  for (int i = 0; i < n; ++i) {
    s[t] = sum + i;
    __syncthreads();
    sum += s[t ^ 3];
    __syncthreads();
  }
  out[t] = sum;
}

// Neighbours of several iterations, and what all of them load, may be one.
// CHECK-LABEL: {{^}}neighbours
// CHECK-DAG: in[t * 64 + i] {{ *}}load 32 {{.*}}assumed
// CHECK-DAG: s[i & 3] {{ *}}load 32 {{.*}}assumed
__global__ void neighbours(const float *in, float *out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    sum += in[t * 64 + i];
#pragma unroll 8
  for (int i = 0; i < n; ++i)
    sum += s[i & 3];
  out[t] = sum;
}

int main() {
  float *x, *y;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&y, 1 << 20);
  by_rows<<<2, 32>>>(x, y, 40);
  steps<<<1, 128>>>(x, y, 7);
  neighbours<<<1, 128>>>(x, y, 12);
}

// A call is no barrier: what it computes is inlined, and neighbours in two iterations merge (LDS.64).
__device__ __forceinline__ float cut(float x, float by) { return x > by ? x : truncf(x); }
// smem-lint: launch block=(128) grid=(1)
__global__ void calls(const float *__restrict__ in, float *__restrict__ out, float by) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    s[i * 128 + t] = in[i * 128 + t];
  __syncthreads();
#pragma unroll 2
  for (int i = 0; i < 4; ++i)
    out[4 * t + i] = cut(s[4 * (t ^ 1) + i], by);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}s[4 * (t ^ 1) + i] {{ *}}load {{.*}}assumed
}
