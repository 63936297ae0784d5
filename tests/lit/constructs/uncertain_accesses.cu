// What nvcc may treat otherwise than the model does is assumed, not exact; its like without the uncertainty is exact.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(4) n=200 m=5" %s | FileCheck %s
// RUN: %lint --fail-on=never --launch "block=(64) grid=(4) n=200 m=5" %s | FileCheck --check-prefix=UNREAD %s

// Both blocks load: one load after them, perhaps, and without a line.
__global__ void both_arms(const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x;
  if (t < n)
    x = in[t] * 2;
  // CHECK-DAG: [[#@LINE-1]]:9  in[t] {{ *}}load 32 {{.*}} assumed
  else
    x = in[t * 2] + 3;
  // CHECK-DAG: [[#@LINE-1]]:9  in[t * 2] {{ *}}load 32 {{.*}} assumed
  out[t] = x;
  // CHECK-DAG: [[#@LINE-1]]:10  out[t] {{ *}}store 32 {{.*}} exact
}

// One block does not.
__global__ void one_arm(const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 1;
  if (t < n) x = in[t] * 2;
  // CHECK-DAG: [[#@LINE-1]]:18  in[t] {{ *}}load 32 {{.*}} exact
  out[t] = x;
}

// The same place in every iteration of a loop without a barrier, and what is loaded for it.
__global__ void one_place(const float *in, float *out, int m) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  for (int k = 0; k < 6; ++k) s[t & 31] = in[k * 64 + t];
  // CHECK-DAG: [[#@LINE-1]]:41  s[t & 31] {{ *}}store 32 {{.*}} assumed
  __syncthreads();
  for (int k = 0; k < m; ++k) {
    s[32 + (t & 31)] = k;
    // CHECK-DAG: [[#@LINE-1]]:{{[0-9]+}} {{ *}}s[32 + (t & 31)] {{ *}}store 32 {{.*}} assumed
    out[k * 64 + t] = s[(t + k) & 63];
  }
}

// Another place in each.
__global__ void other_places(const float *in, float *out) {
  __shared__ float s[6][64];
  const int t = threadIdx.x;
  for (int k = 0; k < 6; ++k) s[k][t] = in[k * 64 + t];
  // CHECK-DAG: [[#@LINE-1]]:39  s[k][t] {{ *}}store 32 {{.*}} exact
  __syncthreads();
  for (int k = 0; k < 6; ++k) out[k * 64 + t] = s[k][63 - t];
  // CHECK-DAG: [[#@LINE-1]]:49  s[k][63 - t] {{ *}}load 32 {{.*}} exact
}

// Nothing reads the array by the time that nvcc looks: the store is gone.
__global__ void unread(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  // UNREAD-NOT: {{^ *}}[[#@LINE-1]]:8 {{.*}}store
  if (t != t) out[t] = s[63 - t];
  out[t] = 1;
}

// One place on two lines, loaded on two ways through the code.
__global__ void two_ways(const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t + 1024] = in[t] + 1;
  // CHECK-DAG: [[#@LINE-1]]:30  in[t] {{ *}}load 32 {{.*}} assumed
  out[t] = in[t] * 2;
  // CHECK-DAG: [[#@LINE-1]]:12  in[t] {{ *}}load 32 {{.*}} assumed
}

// Lanes leave the loop of compare-and-swap one by one, and were seen not to meet again in the loop around it.
__global__ void spinning(const float *in, unsigned *sums, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float x = in[i];
    // CHECK-DAG: [[#@LINE-1]]:21  in[i] {{ *}}load 32 {{.*}} unknown
    unsigned seen = sums[i], expected;
    do {
      expected = seen;
      seen = atomicCAS(&sums[i], expected, __float_as_uint(x + __uint_as_float(expected)));
    } while (seen != expected);
  }
}

// Words at x and x ^ 1 are neighbours where x is even, in a remainder too: ptxas made one 64-bit store of the first two.
__global__ void even_remainder(int *out, int n) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  for (int k = 0; k < 6; ++k) s[((t * 34) ^ k) % 512] = n + k;
  // CHECK-DAG: [[#@LINE-1]]:55  s[((t * 34) ^ k) % 512] {{ *}}store 32 {{.*}} assumed
  __syncthreads();
  out[t] = s[t];
  // CHECK-DAG: [[#@LINE-1]]:12  s[t] {{ *}}load 32 {{.*}} exact
}
