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
