// `x ^ 1` lies beside `x` where x is even. nvcc knows that of a maximum of even numbers, and not of a minimum: STS.64 there, two STS here (112 kernels, PTX read; machine code of these).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) dynamic=2048
__global__ void of_maximum(float *out) {
  extern __shared__ float s[];
  for (int i = 0; i < 2; ++i)
    s[max((int)threadIdx.x * 6, 100) ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}of_maximum
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// smem-lint: launch block=(32) grid=(1) dynamic=2048
__global__ void of_minimum(float *out) {
  extern __shared__ float s[];
  for (int i = 0; i < 2; ++i)
    s[min((int)threadIdx.x * 6, 100) ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}of_minimum
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}1 {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// smem-lint: launch block=(32) grid=(1) dynamic=2048
__global__ void moved(float *out) {
  extern __shared__ float s[];
  for (int i = 0; i < 2; ++i)
    s[(min((int)threadIdx.x * 2, 62) + 2) ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}moved
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}1 {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Doubled, it is even whatever it is.
// smem-lint: launch block=(32) grid=(1) n=20 dynamic=2048
__global__ void doubled(float *out, int n) {
  extern __shared__ float s[];
  for (int i = 0; i < 2; ++i)
    s[min((int)threadIdx.x, n) * 2 ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}doubled
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Neighbours in a clamped row are as they are written.
// smem-lint: launch block=(32) grid=(1) n=20 dynamic=2048
__global__ void clamped(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  const int x = min((int)threadIdx.x, n - 1);
  out[threadIdx.x] = s[x] + s[x + 1];
  // CHECK-LABEL: {{^}}clamped
  // CHECK: [[#@LINE-2]]:{{.*}}s[x] {{ *}}load 32 {{ *}}1 {{.*}}exact
  // CHECK: [[#@LINE-3]]:{{.*}}s[x + 1] {{ *}}load 32 {{ *}}1 {{.*}}exact
}

// Of halves cicc makes one of two in an array that is aligned to four.
// smem-lint: launch block=(32) grid=(1)
__global__ void of_halves(short *out) {
  __shared__ __align__(4) short s[512];
  for (int i = 0; i < 2; ++i)
    s[min((int)threadIdx.x * 6, 100) ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}of_halves
  // CHECK: [[#@LINE-2]]:{{.*}}store 32 {{ *}}1 {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// LLVM makes twice a minimum of it.
// smem-lint: launch block=(32) grid=(1) n=20
__global__ void of_64_bits(float *out, long long n) {
  extern __shared__ float s[];
  for (int i = 0; i < 2; ++i)
    s[(int)min((long long)threadIdx.x * 6, n * 2) ^ i] = out[threadIdx.x + i * 64];
  // CHECK-LABEL: {{^}}of_64_bits
  // CHECK: [[#@LINE-2]]:{{.*}}store 64 {{ *}}1 {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
