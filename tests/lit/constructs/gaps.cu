// Members of aligned structures of which not all are wanted: nvcc loads what lies between them; ptxas drops words that are not wanted. What a merged store counts on is
// the line of its last element in memory, not in the source.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void bytes(const uchar4 *in, int *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].z;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t].x {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
  out[t + 32] = in[t + 32].y + in[t + 32].w;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t + 32].y {{ *}}load 8 {{ *}}1 {{ *}}4 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}in[t + 32].w {{ *}}load 8 {{ *}}1 {{ *}}4 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void halves(const short4 *in, int *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].w;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t].x {{ *}}load 64 {{ *}}1 {{ *}}8 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void two_words(const float4 *in, float *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].z;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t].x {{ *}}load 32 {{ *}}1 {{ *}}16 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}in[t].z {{ *}}load 32 {{ *}}1 {{ *}}16 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void three_words(const float4 *in, float *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x * in[t].z + in[t].w;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t].x {{ *}}load 128 {{ *}}1 {{ *}}16 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void last_three(const float4 *in, float *out) {
  const int t = threadIdx.x;
  out[t] = in[t].y * in[t].z + in[t].w;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[t].y {{ *}}load 32 {{ *}}1 {{ *}}16 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}in[t].z {{ *}}load 64 {{ *}}1 {{ *}}16 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void other_order(const float *in, float *out) {
  __shared__ alignas(16) float s[128];
  const int t = threadIdx.x;
  s[t * 4] = in[t];
  s[t * 4 + 3] = in[t + 32];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}s[t * 4 + 3] {{ *}}store 128 {{ *}}1 {{ *}}4 {{.*}}exact
  s[t * 4 + 1] = in[t + 64];
  s[t * 4 + 2] = in[t + 96];
  __syncthreads();
  out[t] = s[t] + s[127 - t];
}

struct alignas(16) Padded { float x, y, z; };
// smem-lint: launch block=(32) grid=(1)
__global__ void padded(const Padded *in, Padded *out) {
  const int t = threadIdx.x;
  const Padded q = in[t];
  Padded r;
  r.x = q.y;
  r.y = q.z;
  r.z = q.x;
  out[t] = r;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}out[t] {{ *}}store 64 {{ *}}1 {{ *}}16 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[t] {{ *}}store 32 {{ *}}1 {{ *}}16 {{.*}}exact
}
