// A loop that leaves out one iteration, another one for each lane: nvcc may make a loop up to there and one from there on, and then lanes are at different
// iterations. It does not where the length is a constant (nvcc's PTX); where all lanes leave out the same iteration it makes no difference.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void leaves_out(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    sum += x[j] * 3.0f - 2.0f;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} x[j] {{ *}}load 32 {{ *}}256 {{ *}}256 {{.*}}assumed ([[#LEFT:]])
  }
  out[i] = sum;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} out[i] {{ *}}store 32 {{ *}}2 {{ *}}8 {{.*}}exact
}
// CHECK: ([[#LEFT]]) assumed: nvcc starts the loop at the same iteration for all lanes [assumed-loop-peeling]

__global__ void enters_others(const float *x, float *out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < n; ++j)
    if (j != i) sum += x[j] * 3.0f - 2.0f;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} x[j] {{ *}}load 32 {{ *}}256 {{ *}}256 {{.*}}assumed ([[#OTHERS:]])
  out[i] = sum;
}
// CHECK: ([[#OTHERS]]) assumed: nvcc starts the loop at the same iteration for all lanes [assumed-loop-peeling]

// Stores too.
__global__ void stores(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    out[i * n + j] = x[j];
    // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} out[i * n + j] {{ *}}store 32 {{ *}}256 {{ *}}8,128 {{.*}}assumed ([[#STORED:]])
    // CHECK-DAG: {{^ *}}[[#@LINE-2]]:{{[0-9]+}} x[j] {{ *}}load 32 {{ *}}256 {{ *}}256 {{.*}}assumed ([[#STORED]])
  }
}
// CHECK: ([[#STORED]]) assumed: nvcc starts the loop at the same iteration for all lanes [assumed-loop-peeling]

// A constant length.
__global__ void constant_length(const float *x, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 100; ++j) {
    if (j == i) continue;
    sum += x[j] * 3.0f - 2.0f;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} x[j] {{ *}}load 32 {{ *}}200 {{ *}}200 {{.*}}exact
  }
  out[i] = sum;
}

__global__ void constant_in_shared(const float *x, float *out) {
  __shared__ float s[64];
  const int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 64; ++j)
    if (j != i) sum += s[j] * 3.0f - 2.0f;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[j] {{ *}}load 32 {{ *}}128 {{ *}}128 {{.*}}exact
  out[i] = sum;
}

// All lanes leave out the same iteration: 99 are left for each of the two warps.
__global__ void same_for_all(const float *x, float *out, int n, int u) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    if (j == u) continue;
    sum += x[j] * 3.0f - 2.0f;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} x[j] {{ *}}load 32 {{ *}}198 {{ *}}198 {{.*}}exact
  }
  out[i] = sum;
}

int main() {
  float *x, *out;
  cudaMalloc(&x, 1 << 16);
  cudaMalloc(&out, 1 << 16);
  leaves_out<<<1, 64>>>(x, out, 128);
  enters_others<<<1, 64>>>(x, out, 128);
  stores<<<1, 64>>>(x, out, 128);
  constant_length<<<1, 64>>>(x, out);
  constant_in_shared<<<1, 64>>>(x, out);
  same_for_all<<<1, 64>>>(x, out, 100, 37);
}
