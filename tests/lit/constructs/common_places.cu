// Places that several iterations of a loop come to. Which of the loads are one, each half of nvcc decides for itself: cicc in the iterations that it makes one, ptxas in those of the loop that
// is left. By machine code `s[i] * s[i + 32]` of 200 iterations is 336 loads, `s[(i + k) % 100]` for k < 4 of 4 iterations 7.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(2)
__global__ void far_apart(const int *in, int *out) {
  __shared__ int s[512];
  for (int k = threadIdx.x; k < 512; k += 128) s[k] = in[k];
  __syncthreads();
  int v = 0;
  for (int i = 0; i < 200; ++i) {
    v += s[i + threadIdx.x] * s[i + threadIdx.x + 32];
    // CHECK-LABEL: {{^}}far_apart
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i + threadIdx.x] {{ *}}load 32 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// Of a length that is not known sixteen iterations become one at most.
// smem-lint: launch block=(128) grid=(2) n=200
__global__ void further_than_iterations_go(const int *in, int *out, int n) {
  __shared__ int s[512];
  for (int k = threadIdx.x; k < 512; k += 128) s[k] = in[k];
  __syncthreads();
  int v = 0;
  for (int i = 0; i < n; ++i) {
    v += s[i + threadIdx.x] * s[i + threadIdx.x + 32];
    // CHECK-LABEL: {{^}}further_than_iterations_go
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i + threadIdx.x] {{ *}}load 32 {{ *}}1,600 {{ *}}1,600 {{.*}}exact
  }
  out[threadIdx.x] = v;
}

// smem-lint: launch block=(256) grid=(5) n=4 pitch=65
__global__ void remainders(const float *in, float *out, int n, int pitch) {
  __shared__ float s[100];
  if (threadIdx.x < 100) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum[4] = {};
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int m = 0; m < 4; ++m)
      sum[m] += s[(threadIdx.x * pitch + k + m) % 100];
    // CHECK-LABEL: {{^}}remainders
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{.*}}assumed
  }
  out[threadIdx.x] = sum[0] + sum[1] * 3 + sum[2] * 5 + sum[3] * 7;
}

// Of these none come to one place.
// smem-lint: launch block=(256) grid=(5) n=4 pitch=65
__global__ void other_remainders(const float *in, float *out, int n, int pitch) {
  __shared__ float s[100];
  if (threadIdx.x < 100) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += s[(threadIdx.x * pitch + k) % 100];
  // CHECK-LABEL: {{^}}other_remainders
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{ *}}160 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Six places that are the same in each iteration of the loop around: LLVM stores once after it, nvcc, which does not tell them apart, in each (864 requests by machine code).
// smem-lint: launch block=(8,4) grid=(3,2)
__global__ void stored_again(int *out) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x, b = (blockIdx.y * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y) + t;
#pragma unroll 1
  for (int k = 0; k < 24; ++k)
#pragma unroll
    for (int i = 0; i < 6; ++i)
      out[b * 8 + t + i * 8] = 0;
  // CHECK-LABEL: {{^}}stored_again
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}store 32 {{.*}}assumed
}

// Data that __ldg() reads: inline PTX to nvcc.
// smem-lint: launch block=(128) grid=(2) n=37
__global__ void read_only(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  int v = 0;
  for (int i = n - 1; i >= 0; --i)
    v += __ldg(in + (i + t)) * __ldg(in + (i + t) + 1);
  // CHECK-LABEL: {{^}}read_only
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{.*}}assumed
  out[t] = v;
}

// Bits that LLVM knows to be 0 make neighbours of some of the words, and leave others alone: neither is certain. By machine code each is loaded by itself.
// smem-lint: launch block=(64) grid=(1) n=7
__global__ void by_bits(const float *in, float *out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float v = 0;
  for (int k = 0; k < n; ++k)
    v += s[(k & 31) + (k >> 3) * 2];
  // CHECK-LABEL: {{^}}by_bits
  // CHECK-NOT: {{^ *}}[[#@LINE-2]]:{{.*}}exact
  out[threadIdx.x] = v;
}

// A barrier stands between all iterations: nothing is joined across it.
// smem-lint: launch block=(64) grid=(1) steps=9
__global__ void ring(const float *in, float *out, int steps) {
  __shared__ float s[3][64];
  const int t = threadIdx.x;
  s[0][t] = in[t];
  s[1][t] = in[t + 64];
  __syncthreads();
  for (int k = 2; k < steps; ++k) {
    s[k % 3][t] = s[(k - 1) % 3][(t + 1) % 64] + s[(k - 2) % 3][t];
    // CHECK-LABEL: {{^}}ring
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k % 3][t] {{ *}}store 32 {{ *}}14 {{ *}}14 {{.*}}exact
    __syncthreads();
  }
  out[t] = s[(steps - 1) % 3][t];
}

// LLVM takes what is added out of a minimum.
// smem-lint: launch block=(96) grid=(2) n=12
__global__ void minima(const int *in, float *out, int n) {
  __shared__ int s[97];
  for (int i = threadIdx.x; i < 97; i += 96) s[i] = in[i];
  __syncthreads();
  float sum[4] = {};
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int m = 0; m < 4; ++m)
      sum[m] += (float)s[min(t * 65 + k + m, 96)];
    // CHECK-LABEL: {{^}}minima
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{.*}}assumed
  }
  out[t] = sum[0] + sum[1] * 3 + sum[2] * 5 + sum[3] * 7;
}
