// A conflict that is gone where nvcc makes one access of two neighbours is no claim as long as that is not known; one that stays is.
// RUN: %lint-short --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void pairs(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const float v = in[t];
  if (t % 32 == 0) {
    s[t / 32 * 2] = v;
    s[t / 32 * 2 + 1] = v * v;
  }
  __syncthreads();
  if (t < 32) {
    // CHECK-DAG: [[#@LINE+1]]:43: note: 2-way bank conflict: load of s[2 * t] takes 2 wavefronts instead of 1 if nvcc does not merge it with its neighbours, which is assumed
    const float a = t < blockDim.x / 32 ? s[2 * t] : 0;
    const float b = t < blockDim.x / 32 ? s[2 * t + 1] : 0; // LDS.64 in its machine code
    out[t] = a + b;
  }
}

__global__ void rows(const float *in, float *out) {
  __shared__ float s[32 * 64];
  const int t = threadIdx.x;
  for (int i = t; i < 32 * 64; i += 1024)
    s[i] = in[i];
  __syncthreads();
  if (t < 32) {
    // CHECK-DAG: [[#@LINE+1]]:43: warning: 32-way bank conflict: load of s[64 * t] takes 32 wavefronts instead of 1
    const float a = t < blockDim.x / 32 ? s[64 * t] : 0;
    const float b = t < blockDim.x / 32 ? s[64 * t + 1] : 0;
    out[t] = a + b;
  }
}

void run(const float *in, float *out) {
  pairs<<<64, 1024>>>(in, out);
  rows<<<64, 1024>>>(in, out);
}
