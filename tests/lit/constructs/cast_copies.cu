// A vector that is copied to a local array of other elements. Where nvcc casts its fields where they are used, it loads on the line of the first use.
// Machine code, CUDA 13.0, sm_90: LDG.128 at `first use` or at `copied`, nothing else is loaded.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void bytes(const signed char *a, int *y) {
  signed char p[16];
  reinterpret_cast<float4 *>(p)[0] = reinterpret_cast<const float4 *>(a)[threadIdx.x];
  int s = 0;
  for (int i = 0; i < 16; ++i)
    s = s * 3 + p[i]; // first use
  y[threadIdx.x] = s;
}
// CHECK: bytes
// CHECK: 12:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void halves_of_doubles(const short *a, int *y) {
  short p[8];
  reinterpret_cast<double2 *>(p)[0] = reinterpret_cast<const double2 *>(a)[threadIdx.x];
  int s = p[7]; // first use
  for (int i = 0; i < 7; ++i)
    s = s * 3 + p[i];
  y[threadIdx.x] = s;
}
// CHECK: halves_of_doubles
// CHECK: 22:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void integers(const signed char *a, int *y) {
  signed char p[16];
  reinterpret_cast<int4 *>(p)[0] = reinterpret_cast<const int4 *>(a)[threadIdx.x]; // copied
  int s = 0;
  for (int i = 0; i < 16; ++i)
    s = s * 3 + p[i];
  y[threadIdx.x] = s;
}
// CHECK: integers
// CHECK: 33:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void halves_of_floats(const short *a, int *y) {
  short p[8];
  reinterpret_cast<float4 *>(p)[0] = reinterpret_cast<const float4 *>(a)[threadIdx.x]; // copied
  int s = 0;
  for (int i = 0; i < 8; ++i)
    s = s * 3 + p[i];
  y[threadIdx.x] = s;
}
// CHECK: halves_of_floats
// CHECK: 45:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void words(const unsigned *a, unsigned *y) {
  unsigned p[4];
  reinterpret_cast<float4 *>(p)[0] = reinterpret_cast<const float4 *>(a)[threadIdx.x]; // copied
  unsigned s = 0;
  for (int i = 0; i < 4; ++i)
    s = s * 3 + p[i];
  y[threadIdx.x] = s;
}
// CHECK: words
// CHECK: 57:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void floats_of_integers(const float *a, float *y) {
  float p[4];
  reinterpret_cast<int4 *>(p)[0] = reinterpret_cast<const int4 *>(a)[threadIdx.x];
  float s = 0;
  for (int i = 0; i < 4; ++i)
    s = s * 3 + p[i]; // first use
  y[threadIdx.x] = s;
}
// CHECK: floats_of_integers
// CHECK: 72:{{.*}} load 128 {{.*}}exact

// A variable of floats keeps floats: integers that are read from it are loaded where they are copied.
// smem-lint: launch block=(32) grid=(1)
__global__ void integers_of_float4(const int *a, int *y) {
  float4 p = reinterpret_cast<const float4 *>(a)[threadIdx.x]; // copied
  int s = 0;
  for (int i = 0; i < 4; ++i)
    s = s * 3 + reinterpret_cast<const int *>(&p)[i];
  y[threadIdx.x] = s;
}
// CHECK: integers_of_float4
// CHECK: [[#@LINE-7]]:{{.*}} load 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void integers_of_floats(const float *a, int *y) {
  float p[4];
  *reinterpret_cast<float4 *>(p) = reinterpret_cast<const float4 *>(a)[threadIdx.x]; // copied
  const int *q = reinterpret_cast<const int *>(p);
  y[threadIdx.x] =
      q[0] * 3 + q[1] * 5 + q[2] - q[3];
}
// CHECK: integers_of_floats
// CHECK: [[#@LINE-6]]:{{.*}} load 128 {{.*}}exact

// The type that a variable is named as is aligned, the variable itself is not.
struct Floats {
  float v[4];
};
// smem-lint: launch block=(32) grid=(1)
__global__ void through_a_reference(const float *a, float *y, const float *b) {
  Floats p, q;
  (uint4 &)p = *(const uint4 *)(a + 4 * threadIdx.x);
  for (int i = 0; i < 4; ++i)
    q.v[i] = p.v[i] + b[i]; // first use
  *(uint4 *)(y + 4 * threadIdx.x) = (const uint4 &)q;
}
// CHECK: through_a_reference
// CHECK-DAG: [[#@LINE-4]]:{{.*}} load 128 {{.*}}exact
// CHECK-DAG: [[#@LINE-4]]:{{.*}} store 128 {{.*}}exact
