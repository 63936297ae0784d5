// Loads before a branch whose one block needs them go into that block if that leaves no more values alive. As in nvcc's PTX; with n = 32 the second
// warp of the block skips it.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1) n=32 a=0" %s | FileCheck %s

// The thread's number takes the place of the sum. Into the block.
__global__ void goes(const float *in, float *out, int n, int a) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const float x = s[t + a] + s[t + 64];
  // CHECK-DAG: [[#@LINE-1]]:19  s[t + a] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}assumed
  if (t < n) out[t] = x;
}

// The sum would leave two values alive for one: another number and what was loaded before the barrier. Stays.
__global__ void stays(const float *in, float *out, int n, int a) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const float before = in[t * 3];
  s[t] = in[t];
  __syncthreads();
  const float x = s[t + a] + before;
  // CHECK-DAG: [[#@LINE-1]]:19  s[t + a] {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}}assumed
  if (t < n) out[t] = x;
}
