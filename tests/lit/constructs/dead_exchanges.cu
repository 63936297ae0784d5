// ptxas drops exchanges between lanes whose result is not used, and the loads that feed them: nothing but the result tells that they were executed. cicc
// keeps them, and so the stores stay that the loads read. As in nvcc's machine code: LDS ×0 where the result is unused.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint --fail-on=never %s | FileCheck --check-prefix=GONE %s
#include <cuda_runtime.h>

__device__ float total(float v) {
  for (int lane = 16; lane > 0; lane /= 2) v += __shfl_xor_sync(~0u, v, lane);
  return v;
}

__global__ void shuffle(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  __shfl_sync(~0u, s[31 - threadIdx.x], 7);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[threadIdx.x] = 1;
}

__global__ void ballot(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  __ballot_sync(~0u, s[31 - threadIdx.x] > 4);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[threadIdx.x] = 1;
}

__global__ void any(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  __any_sync(~0u, s[31 - threadIdx.x]);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[threadIdx.x] = 1;
}

__global__ void match(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  __match_any_sync(~0u, s[31 - threadIdx.x]);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[threadIdx.x] = 1;
}

__global__ void reduction(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  __reduce_add_sync(~0u, s[31 - threadIdx.x]);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[threadIdx.x] = 1;
}

// One chain is used, the other is not.
__global__ void one_of_two(const float *in, float *out) {
  __shared__ float a[32], b[32];
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x] = in[threadIdx.x + 32];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} b[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  const float used = total(a[31 - threadIdx.x]);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} a[31 - threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  const float unused = total(b[31 - threadIdx.x]);
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  if (threadIdx.x == 0) out[0] = used;
}

// Results that are used.
__global__ void shuffle_used(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = __shfl_sync(~0u, s[31 - threadIdx.x], 7);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[31 - threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
}

__global__ void ballot_used(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = __ballot_sync(~0u, s[31 - threadIdx.x] > 4);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[31 - threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
}

// A volatile load is executed, whatever becomes of the value.
__global__ void volatile_load(const int *in, int *out) {
  __shared__ volatile int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  __shfl_sync(~0u, s[31 - threadIdx.x], 7);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[31 - threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = 1;
}

// An atomic has its effect in memory: it stays, and so does what it adds.
//
// The code of atomicAdd() is line 107 of a header,
// and no line of this kernel may have that number:
// see equal_line_numbers.cu.
__global__ void atomic(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  atomicAdd(&out[threadIdx.x], s[31 - threadIdx.x]);
  // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[31 - threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  // CHECK-DAG: {{^ *}}[[#@LINE-2]]:{{[0-9]+}} {{.*}}atomic 32 {{ *}}1 {{.*}}exact
}

// So does one whose old value goes into a shuffle that is dropped.
__global__ void atomic_into_shuffle(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int old = atomicAdd(&s[31 - threadIdx.x], 5);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}s[31 - threadIdx.x]{{.*}}atomic 32 {{ *}}1 {{.*}}exact
  __shfl_sync(~0u, old, 7);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int *in, *out;
  float *x, *y;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 4096);
  shuffle<<<1, 32>>>(in, out);
  ballot<<<1, 32>>>(in, out);
  any<<<1, 32>>>(in, out);
  match<<<1, 32>>>(in, out);
  reduction<<<1, 32>>>(in, out);
  one_of_two<<<1, 32>>>(x, y);
  shuffle_used<<<1, 32>>>(in, out);
  ballot_used<<<1, 32>>>(in, out);
  volatile_load<<<1, 32>>>(in, out);
  atomic<<<1, 32>>>(in, out);
  atomic_into_shuffle<<<1, 32>>>(in, out);
}
