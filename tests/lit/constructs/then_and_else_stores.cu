// Stores in the then and else blocks of branches and after loops. The instructions are those of nvcc's machine code (CUDA 13.0, sm_90).
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1) n=8" %s | FileCheck %s

// Two stores under two conditions stay two. STS ×3.
__global__ void halo(const float *in, float *out) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) s[0] = in[64];
  // CHECK-DAG: [[#@LINE-1]]:20  s[0] {{ *}}store 32 {{ *}}1 {{.*}}exact
  if (t == 63) s[65] = in[65];
  // CHECK-DAG: [[#@LINE-1]]:22  s[65] {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}

// The sum is kept in a register and stored after the loop, on the line of the store; that nothing loads it again does not
// matter. STS ×2.
__global__ void kept_in_register(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  // CHECK-DAG: [[#@LINE-1]]:18  s[threadIdx.x] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  for (int k = 0; k < n; ++k)
    s[threadIdx.x] += in[k * 64];
  // CHECK-DAG: [[#@LINE-1]]:{{[0-9]+}}  s[threadIdx.x] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  out[threadIdx.x] = s[threadIdx.x];
}

// A zero in the last block stays there. STS ×2.
__global__ void or_zero(const float *in, float *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  // CHECK-DAG: [[#@LINE-1]]:10  s[t] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  else
    s[t] = 0;
  // CHECK-DAG: [[#@LINE-1]]:10  s[t] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  __syncthreads();
  out[t] = s[63 - t];
}

// Anything else becomes one store after the branch, on the last block's line. STS.
__global__ void or_one(const float *in, float *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  else
    s[t] = 1;
  // CHECK-DAG: [[#@LINE-1]]:10  s[t] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  __syncthreads();
  out[t] = s[63 - t];
}

// So does one value for two addresses, but not two values for two. STS, then STS ×2.
__global__ void two_addresses(const float *in, float *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const float x = in[t];
  if (t < n)
    s[t] = x;
  else
    s[(t + 3) & 63] = x;
  // CHECK-DAG: [[#@LINE-1]]:21  s[(t + 3) & 63] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  __syncthreads();
  const float y = s[63 - t];
  __syncthreads();
  if (t < n)
    s[t] = y;
  // CHECK-DAG: [[#@LINE-1]]:10  s[t] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  else
    s[(t + 5) & 63] = 2 * y;
  // CHECK-DAG: [[#@LINE-1]]:21  s[(t + 5) & 63] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  __syncthreads();
  out[t] = s[t];
}

// Blocks that a whole warp chooses between stay apart. STS ×2, one of them reached.
__global__ void by_block(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  if ((blockIdx.x & 1) == 0)
    s[t] = in[t];
  // CHECK-DAG: [[#@LINE-1]]:10  s[t] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  else
    s[t + 3] = in[t + 1];
  // CHECK-DAG: [[#@LINE-1]]:14  s[t + 3] {{ *}}store 32 {{ *}}0 {{.*}}not reached
  __syncthreads();
  out[t] = s[127 - t];
}

// So do stores to two arrays, and what loops store. STS ×2, then STS ×8.
__global__ void arrays_and_loops(const float *in, float *out, int n) {
  __shared__ float a[64], b[64], c[4][64];
  const int t = threadIdx.x;
  if (t < n)
    a[t] = in[t];
  // CHECK-DAG: [[#@LINE-1]]:10  a[t] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  else
    b[t] = in[t + 7];
  // CHECK-DAG: [[#@LINE-1]]:10  b[t] {{ *}}store 32 {{ *}}2 {{.*}}assumed
  int at;
  if (t < n) {
    at = n;
    for (int i = 0; i < 4; ++i, at += n)
      c[i][t] = in[at];
    // CHECK-DAG: [[#@LINE-1]]:15  c[i][t] {{ *}}store 32 {{ *}}4 {{.*}}assumed
  } else {
    at = n * n;
    for (int i = 0; i < 4; ++i, at += n)
      c[i][t] = in[at];
    // CHECK-DAG: [[#@LINE-1]]:15  c[i][t] {{ *}}store 32 {{ *}}8 {{.*}}assumed
  }
  __syncthreads();
  out[t] = a[63 - t] + b[63 - t] + c[t & 3][63 - t];
}
