// Neighbours in shared memory that a branch stands between. Machine code, CUDA 13.0, sm_90: LDS.64 at `merged`, nothing at `moved`; in `apart` both stay,
// with a store in between; in `one_window` the second is loaded before the branch, and counts there.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(256) grid=(1)
__global__ void joined(const int *in, int *out) {
  __shared__ __align__(16) int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  __syncthreads();
  const int x = s[2 * t]; // merged
  if (x > t)
    out[t] = x;
  out[t + 512] = s[2 * t + 1]; // moved
}
// CHECK: joined
// CHECK: 13:{{.*}} load 64 {{ *}}8 {{.*}}assumed
// CHECK-NOT: 16:{{.*}}s[2

// smem-lint: launch block=(256) grid=(1)
__global__ void in_an_arm(const int *in, int *out) {
  __shared__ __align__(16) int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  __syncthreads();
  const int x = s[8]; // merged
  if (t < 100)
    out[t] = s[9]; // moved
  out[t + 512] = x;
}
// CHECK: in_an_arm
// CHECK: 29:{{.*}} load 64 {{ *}}8 {{.*}}assumed

// smem-lint: launch block=(256) grid=(1)
__global__ void apart(const int *in, int *out) {
  __shared__ __align__(16) int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  __syncthreads();
  const int x = s[2 * t];
  if (t < 100)
    s[t + 1] = x;
  out[t + 512] = s[2 * t + 1] + x;
}
// CHECK: apart
// CHECK: 44:{{.*}} load 32 {{ *}}8 {{.*}}exact
// CHECK: 47:{{.*}} load 32 {{ *}}8 {{.*}}exact

// smem-lint: launch block=(256) grid=(1)
__global__ void one_window(const int *in, int *out) {
  __shared__ __align__(16) int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  __syncthreads();
  const int x = s[8];
  if (t < 100)
    out[t] = s[10];
  out[t + 512] = x;
}
// CHECK: one_window
// CHECK: 60:{{.*}} load 32 {{ *}}8 {{.*}}assumed
// CHECK: 62:{{.*}} load 32 {{ *}}4 {{.*}}assumed

// Two branches in a row with one condition are one: LDS.64, LDG.64, STS.64.
// smem-lint: launch block=(256) grid=(1) n=100
__global__ void one_condition(float *__restrict__ out, const float2 *__restrict__ in, int n) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  s[t] = s[t + 256] = t;
  __syncthreads();
  const float a = t < n ? s[2 * t] : 0, b = t < n ? s[2 * t + 1] : 0;
  float c = 0, d = 0;
  if (t < n) c = in[t].x;
  if (t < n) d = in[t].y;
  __syncthreads();
  if (t < n) s[2 * t] = c;
  if (t < n) s[2 * t + 1] = d;
  __syncthreads();
  out[t] = a * b + s[t];
}
// CHECK: one_condition
// CHECK: 76:{{.*}} load 64 {{ *}}4 {{.*}}exact
// CHECK: 82:{{.*}} store 64 {{ *}}4 {{.*}}assumed
// CHECK: 78:{{.*}} load 64 {{ *}}4 {{.*}}exact

// Not where something stands between them: LDS, LDS; STS, STS.
// smem-lint: launch block=(256) grid=(1) n=100
__global__ void not_in_a_row(float *__restrict__ out, int *__restrict__ to, int n) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  s[t] = s[t + 256] = t;
  __syncthreads();
  const float a = t < n ? s[2 * t] : 0;
  to[t] = n;
  const float b = t < n ? s[2 * t + 1] : 0;
  __syncthreads();
  if (t < n) s[2 * t] = a;
  to[t + 256] = n;
  if (t < n) s[2 * t + 1] = b;
  __syncthreads();
  out[t] = a * b + s[t];
}
// CHECK: not_in_a_row
// CHECK: 98:{{.*}} load 32 {{ *}}4 {{.*}}assumed
// CHECK: 100:{{.*}} load 32 {{ *}}4 {{.*}}assumed
// CHECK: 102:{{.*}} store 32 {{ *}}4 {{.*}}exact
// CHECK: 104:{{.*}} store 32 {{ *}}4 {{.*}}exact

// Words of two and four parts are words: LDS.64. Pairs of words become LDS.128.
// smem-lint: launch block=(128) grid=(1) n=100
template <class T> __global__ void of(int *out, int n) {
  __shared__ __align__(16) T s[512];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    s[t + 128 * i] = T{};
  __syncthreads();
  T v = s[4 * t];
  if (t < n) {
    T w = s[4 * t + 1];
    v.x += w.x + w.y;
  }
  out[t] = v.x + v.y;
}
template __global__ void of<short2>(int *, int);
template __global__ void of<uchar4>(int *, int);
template __global__ void of<int2>(int *, int);
// CHECK: of<int2>
// CHECK: 122:{{.*}} load 64 {{ *}}4 {{.*}}assumed
// CHECK: 124:{{.*}} load 64 {{ *}}4 {{.*}}assumed
// CHECK: of<short2>
// CHECK: 122:{{.*}} load 64 {{ *}}4 {{.*}}assumed
// CHECK-NOT: 124:{{.*}} load
// CHECK: of<uchar4>
// CHECK: 122:{{.*}} load 64 {{ *}}4 {{.*}}assumed
// CHECK-NOT: 124:{{.*}} load
// CHECK: memory instructions
