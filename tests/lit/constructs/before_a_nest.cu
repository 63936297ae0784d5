// Loops of unknown length, whose iterations are adjacent, and what follows them. ptxas merges the loads of four iterations where cicc has made a pointer of the counter that steps on (loop strength
// reduction). Where the code behind the loop has a loop that counts within another, cicc leaves the counter: by machine code 20 of 128 bits and 12 of 32 in `alone`, 92 of 32 in
// `before_nest`. Stores it mostly leaves apart, too, and not in `stores_before_nest`.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=23 rows=3 columns=5
__global__ void alone(const float *in, float *out, int n, int rows, int columns) {
  __shared__ float s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += s[k];
    // CHECK-LABEL: {{^}}alone
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k] {{ *}}load 128 {{ *}}20 {{.*}}exact
  }
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(128) grid=(1) n=23 rows=3 columns=5
__global__ void before_nest(const float *in, float *out, int n, int rows, int columns) {
  __shared__ float s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += s[k];
    // CHECK-LABEL: {{^}}before_nest
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k] {{.*}}assumed
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum -= in[i * j];
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(128) grid=(1) n=23 rows=3 columns=5
__global__ void stores_before_nest(const float *in, float *out, int n, int rows, int columns) {
  __shared__ float s[64];
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < n; ++k) {
    sum += 1;
    s[k] = sum;
    // CHECK-LABEL: {{^}}stores_before_nest
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k] {{.*}}assumed
  }
  __syncthreads();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum -= in[i * j];
  out[threadIdx.x] = sum + s[threadIdx.x % 16];
}

// A nest before the loop does not matter, nor does a loop in the other part of a branch, one whose inner loop is unrolled, or two one after the other.
// smem-lint: launch block=(128) grid=(1) n=23 rows=3 columns=5
__global__ void behind_nest(const float *in, float *out, int n, int rows, int columns) {
  __shared__ float s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum -= in[i * j];
  for (int k = 0; k < n; ++k) {
    sum += s[k];
    // CHECK-LABEL: {{^}}behind_nest
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k] {{ *}}load 128 {{ *}}20 {{.*}}exact
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j)
      sum -= in[i * j + 1];
  for (int i = 0; i < rows; ++i)
    sum -= in[i * columns + 2];
  out[threadIdx.x] = sum;
}

// Of iterations whose number is known nothing has to be known of the counter.
// smem-lint: launch block=(128) grid=(1) rows=3 columns=5
__global__ void known_before_nest(const float *in, float *out, int rows, int columns) {
  __shared__ float s[256];
  for (int k = threadIdx.x; k < 256; k += 128) s[k] = in[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 256; ++k) {
    sum += s[k];
    // CHECK-LABEL: {{^}}known_before_nest
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k] {{ *}}load 128 {{ *}}256 {{.*}}exact
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum -= in[i * j];
  out[threadIdx.x] = sum;
}
