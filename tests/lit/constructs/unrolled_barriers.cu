// Loops of unknown length unroll whether or not there are barriers in them: every other of four iterations begins at an even number.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) phases=8
__global__ void odd_even(int *out, int phases) {
  __shared__ int s[72];
  for (int i = threadIdx.x; i < 72; i += 32)
    s[i] = 71 - i;
  __syncthreads();
  for (int phase = 0; phase < phases; ++phase) {
    const int i = 2 * threadIdx.x + (phase & 1);
    const int a = s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}4 {{.*}}assumed
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{ *}}4 {{.*}}assumed
    const int b = s[i + 1];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 32 {{ *}}4 {{.*}}assumed
    if (a > b) {
      s[i] = b;
      s[i + 1] = a;
    }
    __syncthreads();
  }
  out[threadIdx.x] = s[threadIdx.x];
}
