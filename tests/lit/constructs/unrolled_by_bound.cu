// Loops of unknown length that run so often at most. nvcc makes straight code of them, each iteration with its exit, where a local array is indexed by the iteration, or up to 64 times with a
// pragma: the row `v + j * n` of iterations 0 and 4 is then known to be aligned as `v` is, that of 2 by half of it. PTX read of 448 loops, machine code of these.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) n=16 m=8 dynamic=4096
__global__ void local_array(float *out, int n, int m) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sums[8] = {};
  for (int j = 0; j < 8 && j < m; ++j)
    for (int h = 0; h < n; ++h)
      sums[j] += v[j * n + h];
  // CHECK-LABEL: {{^}}local_array
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j * n + h] {{ *}}load 128 {{ *}}8 {{.*}}assumed
  // CHECK: [[#@LINE-3]]:{{[0-9]+}} v[j * n + h] {{ *}}load 64 {{ *}}16 {{.*}}assumed
  // CHECK: [[#@LINE-4]]:{{[0-9]+}} v[j * n + h] {{ *}}load 32 {{ *}}64 {{.*}}assumed
  for (int j = 0; j < 8; ++j)
    out[j * 32 + threadIdx.x] = sums[j];
}

// smem-lint: launch block=(32) grid=(1) n=16 m=8 dynamic=4096
__global__ void with_pragma(float *out, int n, int m) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < min(m, 64); ++j)
    for (int h = 0; h < n; ++h)
      sum += v[j * n + h];
  // CHECK-LABEL: {{^}}with_pragma
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j * n + h] {{ *}}load 128 {{ *}}8 {{.*}}assumed
  // CHECK: [[#@LINE-3]]:{{[0-9]+}} v[j * n + h] {{ *}}load 64 {{ *}}16 {{.*}}assumed
  // CHECK: [[#@LINE-4]]:{{[0-9]+}} v[j * n + h] {{ *}}load 32 {{ *}}64 {{.*}}assumed
  out[threadIdx.x] = sum;
}

// Once more than 64 times.
// smem-lint: launch block=(32) grid=(1) n=16 m=8 dynamic=4096
__global__ void too_often(float *out, int n, int m) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < min(m, 65); ++j)
    for (int h = 0; h < n; ++h)
      sum += v[j * n + h];
  // CHECK-LABEL: {{^}}too_often
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j * n + h] {{ *}}load 32 {{ *}}128 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Nothing asks for it.
// smem-lint: launch block=(32) grid=(1) n=16 m=8 dynamic=4096
__global__ void without(float *out, int n, int m) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < min(m, 8); ++j)
    for (int h = 0; h < n; ++h)
      sum += v[j * n + h];
  // CHECK-LABEL: {{^}}without
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j * n + h] {{ *}}load 32 {{ *}}128 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Nine times or not at all, to nvcc: it stays a loop (LDS x 9), where LLVM sees by the bits of n * 16 that the sum does not wrap.
// smem-lint: launch block=(32) grid=(1) n=1 dynamic=4096
__global__ void nine_or_none(float *out, unsigned n) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (unsigned j = n * 16; j < n * 16 + 9; ++j)
    sum += v[j];
  // CHECK-LABEL: {{^}}nine_or_none
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j] {{.*}}assumed
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(32) grid=(1) begin=3 dynamic=4096
__global__ void sixteen_or_none(float *out, unsigned begin) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (unsigned j = begin; j < begin + 16; ++j)
    sum += v[threadIdx.x * 16 + (j - begin)];
  // CHECK-LABEL: {{^}}sixteen_or_none
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[threadIdx.x * 16 + (j - begin)] {{.*}}assumed
  out[threadIdx.x] = sum;
}

// No two iterations are one access.
// smem-lint: launch block=(32) grid=(1) begin=3 dynamic=4096
__global__ void rows_apart(float *out, unsigned begin) {
  extern __shared__ float v[];
  const int t = threadIdx.x;
  v[t] = out[t];
  __syncthreads();
  float sum = 0;
  for (unsigned j = begin; j < begin + 16; ++j)
    sum += v[(j - begin) * 32 + t];
  // CHECK-LABEL: {{^}}rows_apart
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[(j - begin) * 32 + t] {{ *}}load 32 {{ *}}16 {{.*}}exact
  out[t] = sum;
}

// Eight are straight code.
// smem-lint: launch block=(32) grid=(1) n=1 dynamic=4096
__global__ void eight_or_none(float *out, unsigned n) {
  extern __shared__ float v[];
  v[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (unsigned j = n * 16; j < n * 16 + 8; ++j)
    sum += v[j];
  // CHECK-LABEL: {{^}}eight_or_none
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} v[j] {{ *}}load 128 {{ *}}2 {{.*}}exact
  out[threadIdx.x] = sum;
}
