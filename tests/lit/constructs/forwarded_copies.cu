// A vector that goes through a variable which is for nothing else is loaded where it is copied on, unless memory may be written before that.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct alignas(16) Wrapped { float4 v; };

__device__ float4 handed_back(const float4 *from) { return *from; }

// smem-lint: launch block=(32) grid=(1)
__global__ void read_between(const float4 *in, float4 *out, int *n) {
  const float4 v = in[threadIdx.x];
  const int to = n[threadIdx.x & 1] & 1;
  if (to > 1)
    return;
  atomicAdd(n + 2, 1);
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void other_space(const float4 *in, float4 *out) {
  __shared__ float s[32];
  const float4 v = in[threadIdx.x];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
  out[threadIdx.x + 64].x = s[threadIdx.x ^ 1];
}

// smem-lint: launch block=(32) grid=(1)
__global__ void returned(const float4 *in, float4 *out) {
  const float4 v = handed_back(in + threadIdx.x);
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 128 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void swapped(float4 *cells) {
  const float4 a = cells[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}cells[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
  const float4 b = cells[threadIdx.x + 32];
  cells[threadIdx.x] = b;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}cells[threadIdx.x + 32] {{ *}}load 128 {{ *}}1 {{.*}}exact
  cells[threadIdx.x + 32] = a;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void exchanged(const float4 *in, float4 *out) {
  const float4 v = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
  const int to = __shfl_xor_sync(~0u, threadIdx.x, 1);
  out[to] = v;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void twice(const float4 *in, float4 *out) {
  const float4 v = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = v;
  out[threadIdx.x + 32] = v;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void not_plain(const Wrapped *in, Wrapped *out) {
  const Wrapped v = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = v;
}
