// Stores that nvcc leaves where they are. The instructions are those of its machine code (CUDA 13.0, sm_90).
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1) n=8" %s | FileCheck %s

// Two stores under two conditions stay two. STS ×3.
__global__ void halo(const float *in, float *out) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) s[0] = in[64];
  // CHECK-DAG: [[#@LINE-1]]:20  s[0] {{ *}}store 32 {{ *}}1
  if (t == 63) s[65] = in[65];
  // CHECK-DAG: [[#@LINE-1]]:22  s[65] {{ *}}store 32 {{ *}}1
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}

// The sum is kept in a register and stored behind the loop, on the line of the store; that nobody loads it again does not
// matter. STS ×2.
__global__ void kept_in_register(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  // CHECK-DAG: [[#@LINE-1]]:18  s[threadIdx.x] {{ *}}store 32 {{ *}}2
  for (int k = 0; k < n; ++k)
    s[threadIdx.x] += in[k * 64];
  // CHECK-DAG: [[#@LINE-1]]:{{[0-9]+}}  s[threadIdx.x] {{ *}}store 32 {{ *}}2
  out[threadIdx.x] = s[threadIdx.x];
}
