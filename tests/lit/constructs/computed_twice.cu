// What LLVM and nvcc make of one address that is computed twice, of the bits of a counter, and of what is loaded for a store that leaves its loop.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// Where the branch tells that a thread's index is not negative, LLVM makes the second remainder one of unsigned numbers before it looks for common code. In a kernel with more around it nvcc
// loaded once for both, before the branch, on no line of the source (machine code); in this one twice.
// smem-lint: launch block=(160) grid=(3)
__global__ void remainder_on_both_ways(const int *in, float *out) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float sum = 0;
  if (t < 12) {
    sum += (float)s[t % 17];
    // CHECK-LABEL: {{^}}remainder_on_both_ways
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[t % 17] {{ *}}load 32 {{.*}}assumed
  }
  sum += (float)s[t % 17];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}s[t % 17] {{ *}}load 32 {{.*}}assumed
  out[t] = sum;
}

// Other remainders are other addresses.
// smem-lint: launch block=(160) grid=(3)
__global__ void two_remainders(const int *in, float *out) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float sum = 0;
  if (t < 12) {
    sum += (float)s[t % 17];
    // CHECK-LABEL: {{^}}two_remainders
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[t % 17] {{ *}}load 32 {{.*}}exact
  }
  sum += (float)s[t % 19];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}s[t % 19] {{ *}}load 32 {{.*}}exact
  out[t] = sum;
}

// That four iterations are adjacent shows in the bits of a counter that is a multiple of four: LLVM has pairs of words, and nvcc 64 loads of 32 bits of 16 iterations (machine code).
// smem-lint: launch block=(1,64) grid=(2) n=16
__global__ void bits_of_a_counter(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.y;
  s[t] = in[t];
  s[t + 64] = in[t + 64];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += s[(k & 31) + (k >> 5) * 2];
    // CHECK-LABEL: {{^}}bits_of_a_counter
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[(k & 31) + (k >> 5) * 2] {{.*}}assumed
  }
  out[t] = sum;
}

// The stages of a ring lie too far apart to be adjacent.
// smem-lint: launch block=(64) grid=(2) n=16
__global__ void ring(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[3][64];
  const int t = threadIdx.x;
  for (int k = 0; k < 3; ++k) s[k][t] = in[k * 64 + t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += s[k % 3][t ^ 1];
    // CHECK-LABEL: {{^}}ring
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[k % 3][t ^ 1] {{ *}}load 32 {{ *}}64 {{.*}}exact
  }
  out[t] = sum;
}

// Only the last of the stores is left, and nvcc loads what it writes, once: 2 requests (machine code).
// smem-lint: launch block=(1,64) grid=(1) stride=15
__global__ void stored_in_the_end(const double *in, float *out, int stride) {
  __shared__ double s[1024];
  const int t = threadIdx.y;
#pragma unroll 1
  for (int k = 1; k <= 4; k *= 2) {
    const double v = in[((t * stride + 33) & 3) + k * 2];
    // CHECK-LABEL: {{^}}stored_in_the_end
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}in[{{.*}}load 64 {{.*}}assumed
    s[(t * 65) % 1024] = v;
  }
  __syncthreads();
  out[t] = (float)s[t ^ 1];
}
