// `(float4 &)a[i]` and `reinterpret_cast<float4 &>(a[i])` promise float4's alignment as casts of pointers do, whatever is declared: one access.
// Machine code, CUDA 13.0, sm_90: 20 kernels, each access of its type's width.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(4)
__global__ void copied(float *a, float *b) {
  float4 v = (float4 &)a[threadIdx.x * 4];
  reinterpret_cast<float4 &>(b[threadIdx.x * 4]) = v;
}
// CHECK: copied
// CHECK: 9:{{.*}} load 128 {{.*}}exact
// CHECK: 9:{{.*}} store 128 {{.*}}exact

// smem-lint: launch block=(128) grid=(4)
__global__ void to_registers(const float *__restrict__ a, float *b) {
  float r[8];
  (float4 &)r[0] = (const float4 &)a[threadIdx.x * 8];
  (float4 &)r[4] = (const float4 &)a[threadIdx.x * 8 + 4];
  float sum = 0;
  for (int i = 0; i < 8; i++)
    sum += r[i] * i;
  b[threadIdx.x] = sum;
}
// CHECK: to_registers
// CHECK: 18:{{.*}} load 128 {{.*}}exact
// CHECK: 19:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(128) grid=(4)
__global__ void through_shared(float *a, float *b) {
  __shared__ float s[16][36];
  int y = threadIdx.x / 8, x = threadIdx.x % 8;
  (float4 &)s[y][x * 4] = (float4 &)a[threadIdx.x * 4];
  __syncthreads();
  const float2 t = (float2 &)s[y ^ 1][x * 4];
  b[threadIdx.x] = t.x * t.y;
}
// CHECK: through_shared
// CHECK: 33:{{.*}} store 128 {{.*}}exact
// CHECK: 35:{{.*}} load 64 {{.*}}exact
// CHECK: 33:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(128) grid=(4)
__global__ void bytes_as_words(unsigned char *a, double *b) {
  unsigned v = (unsigned &)a[threadIdx.x * 4];
  (long long &)b[threadIdx.x] = v;
}
// CHECK: bytes_as_words
// CHECK: 45:{{.*}} load 32 {{.*}}exact
// CHECK: 46:{{.*}} store 64 {{.*}}exact

template <class V, class T> __device__ V &as(T &x) {
  return (V &)x;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void in_a_template(float *a, float *b) {
  as<float4>(b[threadIdx.x * 4]) = as<float4>(a[threadIdx.x * 4]);
}
// CHECK: in_a_template
// CHECK-DAG: 58:{{.*}} load 128 {{.*}}exact
// CHECK-DAG: 58:{{.*}} store 128 {{.*}}exact

// A structure of floats is aligned as one of them.
struct Plain {
  float x, y, z, w;
};

// smem-lint: launch block=(128) grid=(4)
__global__ void as_plain_structure(float *a, float *b) {
  Plain v = (Plain &)a[threadIdx.x * 4];
  b[threadIdx.x] = v.x + v.y + v.z + v.w;
}
// CHECK: as_plain_structure
// CHECK: 71:{{.*}} load 32 {{.*}}exact
