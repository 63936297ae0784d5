// What keeps neighbours apart that merge without it, and what does not: each line's widths are those of nvcc's machine code (CUDA 13.0, sm_90).
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1)" %s | FileCheck %s

// Registers are exchanged, shared memory is not touched. STS.64.
__global__ void shuffle_between_stores(int *out, const int *in) {
  __shared__ alignas(8) int s[128];
  const int t = threadIdx.x;
  s[2 * t] = in[t];
  s[2 * t + 1] = __shfl_xor_sync(~0u, in[t], 1);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 64 {{ *}}2 {{.*}}assumed
  __syncthreads();
  out[t] = s[t];
}

// LDS.64.
__global__ void vote_between_loads(int *out, const int *in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 64] = in[t + 64];
  __syncthreads();
  const int a = s[2 * t], b = __ballot_sync(~0u, t > 3) + s[2 * t + 1];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  out[t] = a * b;
}

// An atomic on global memory orders no shared memory. LDS.64.
__global__ void global_atomic_between_loads(int *out, const int *in, int *counter) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 64] = in[t + 64];
  __syncthreads();
  const int a = s[2 * t], b = atomicAdd(counter, 1) + s[2 * t + 1];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  out[t] = a * b;
}

// One on shared memory does, of another array too, declared alignment or not. STS, STS.
__global__ void shared_atomic_between_stores(int *out, const int *in) {
  __shared__ alignas(8) int s[128];
  __shared__ int counter;
  const int t = threadIdx.x;
  if (t == 0) counter = 0;
  __syncthreads();
  s[2 * t] = in[t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  s[2 * t + 1] = atomicAdd(&counter, 1);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  __syncthreads();
  out[t] = s[t];
}

// cicc merges nothing of global memory across any atomic. LDG, LDG.
__global__ void atomic_between_members(int *out, const float2 *__restrict__ in, int *__restrict__ counter) {
  const int t = threadIdx.x;
  const float a = in[t].x;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{.*}}assumed
  const int i = atomicAdd(counter, 1);
  out[t] = a * in[t].y + i;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} in[t].y {{.*}}load 32 {{ *}}2 {{.*}}assumed
}

// A division's rare case is a branch, which ends what stores merge in. STS, STS; loads pass it: LDS.64.
__global__ void division_between_scalars(float *out, const float *in) {
  __shared__ float mean, scale;
  const int t = threadIdx.x;
  if (t == 0) {
    mean = in[0];
    // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} mean {{ *}}store 32 {{ *}}1 {{.*}}exact
    scale = in[1] / in[2];
    // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} scale {{ *}}store 32 {{ *}}1 {{.*}}exact
  }
  __syncthreads();
  out[t] = in[t] * mean + scale;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
}

// logf() branches. STS, STS; LDS.64.
__global__ void logarithm(float *out, const float *in, float x, float y) {
  __shared__ alignas(8) float s[128];
  const int t = threadIdx.x;
  s[2 * t] = in[t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  s[2 * t + 1] = logf(x);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  __syncthreads();
  const float a = s[2 * t], b = logf(y) + s[2 * t + 1];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  out[t] = a * b;
}

// expf() does not: STS.64. sinf() has a loop: LDS, LDS.
__global__ void exponential_and_sine(float *out, const float *in, float x, float y) {
  __shared__ alignas(8) float s[128];
  const int t = threadIdx.x;
  s[2 * t] = in[t];
  s[2 * t + 1] = expf(x);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 64 {{ *}}2 {{.*}}exact
  __syncthreads();
  const float a = s[2 * t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{.*}}exact
  const float b = sinf(y) + s[2 * t + 1];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{.*}}exact
  out[t] = a * b;
}

// A store to another member stands between loads, and another load between stores: neither is of what it would pass. LDS.128, STS, STS.64.
__global__ void sums_in_place(float *out, const float *in) {
  __shared__ alignas(16) float s[256];
  const int t = threadIdx.x;
  s[t] = in[t], s[t + 64] = in[t + 64], s[t + 128] = in[t + 128], s[t + 192] = in[t + 192];
  __syncthreads();
  const float a = s[4 * t], b = s[4 * t + 1], c = s[4 * t + 2];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 128 {{ *}}2 {{.*}}exact
  s[4 * t + 1] = a + b;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  s[4 * t + 2] = a + b + c, s[4 * t + 3] += a + b + c;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 64 {{ *}}2 {{.*}}exact
  __syncthreads();
  out[t] = s[t];
}

// A volatile store keeps apart what it may alias, as others do: LDG.64, STG.64; without __restrict__ LDG, LDG.
__global__ void volatile_store(int *__restrict__ out, const int2 *__restrict__ in, int2 *__restrict__ to, int *__restrict__ flag) {
  const int t = threadIdx.x;
  const int a = in[t].x; *(volatile int *)&flag[t] = 1; const int b = in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  to[t].x = a; *(volatile int *)&flag[t + 64] = 1; to[t].y = b;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 64 {{ *}}2 {{.*}}exact
  out[t] = 0;
}
__global__ void volatile_store_anywhere(int *out, const int2 *in, int *flag) {
  const int t = threadIdx.x;
  const int a = in[t].x; *(volatile int *)&flag[t] = 1; out[t] = a + in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} in[t].x {{ *}}load 32 {{ *}}2 {{.*}}assumed
}

// Reading a texture reads memory: stores do not pass it, loads do. STG, STG; LDG.64.
__global__ void texture(int *__restrict__ out, const int2 *__restrict__ in, int2 *__restrict__ to, cudaTextureObject_t texels) {
  const int t = threadIdx.x;
  const int a = in[t].x, c = tex1Dfetch<int>(texels, t), b = in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  to[t].x = a;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} to[t].x {{ *}}store 32 {{ *}}2 {{.*}}assumed
  const int d = tex1Dfetch<int>(texels, t + 64);
  to[t].y = b;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} to[t].y {{ *}}store 32 {{ *}}2 {{.*}}assumed
  out[t] = c + d;
}

// lroundf() is libdevice's llroundf(), which branches: STS, STS; LDS.64. Not that of a double: STS.64.
__global__ void rounded(long *out, const float *in, float x, double y) {
  __shared__ alignas(8) float s[128];
  const int t = threadIdx.x;
  s[2 * t] = in[t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  s[2 * t + 1] = lroundf(x);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  __syncthreads();
  const float a = s[2 * t], b = lroundf(x + 1) + s[2 * t + 1];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 64 {{ *}}2 {{.*}}exact
  __syncthreads();
  s[2 * t] = a * b, s[2 * t + 1] = lround(y);
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 64 {{ *}}2 {{.*}}exact
  __syncthreads();
  out[t] = s[t];
}

// What is read of an array that nothing writes is read, and stands between stores: STS, STS.
__global__ void unwritten_between_stores(int *out, const int *in) {
  __shared__ int s[128], never[64];
  const int t = threadIdx.x;
  s[2 * t] = in[t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  const int a = never[t];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} never[t] {{ *}}load 32 {{ *}}2 {{.*}}assumed
  s[2 * t + 1] = in[t + 64];
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{.*}}exact
  __syncthreads();
  out[t] = s[t] + a;
}

// cicc merges across the call of a function that writes nothing, and the model does not: LDG.64, STG.64 there.
__device__ __noinline__ int remainder_of(int a) { return a * a % 7; }
__global__ void pure_call(int *__restrict__ out, const int2 *__restrict__ in, int2 *__restrict__ to, int n) {
  const int t = threadIdx.x;
  const int a = in[t].x, c = remainder_of(n), b = in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} in[t].x {{ *}}load {{.*}} assumed
  to[t].x = a;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} to[t].x {{ *}}store {{.*}} assumed
  out[t] = c + remainder_of(n + 1);
  to[t].y = b;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} to[t].y {{ *}}store {{.*}} assumed
}
// One with a clock may be anything: LDG, LDG.
__device__ __noinline__ int timed(int a) { return a + clock(); }
__global__ void other_call(int *__restrict__ out, const int2 *__restrict__ in, int n) {
  const int t = threadIdx.x;
  const int a = in[t].x, c = timed(n), b = in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} in[t].x {{ *}}load 32 {{ *}}2 {{.*}} exact
  out[t] = a * b + c;
}

// Different members of two structures of one type do not overlap, to nvcc: LDG.64. The model keeps the loads apart.
__global__ void members_of_two(int *out, const int2 *in, int2 *to) {
  const int t = threadIdx.x;
  const int a = in[t].x; to[t + 64].x = 1; out[t] = a * in[t].y;
  // CHECK-DAG: {{ +}}[[#@LINE-1]]:{{[0-9]+}} in[t].x {{ *}}load {{.*}} assumed
}
