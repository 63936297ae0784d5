// nvcc without -rdc takes an extern declaration of shared memory that has a size for a static definition (its warning 20044-D): measured with nvcc 13.0,
// whose PTX has `.shared .align 4 .b8 outside[4096]` and no dynamic memory.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: %s
// A header that is not there has no part in it: neither one that there is a stand-in for, nor another.
// RUN: %lint --fail-on=never %s -- -DFRAMEWORK 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %lint --fail-on=never %s -- -DNO_STAND_IN 2>&1 | FileCheck --implicit-check-not=error: %s
#ifdef FRAMEWORK
#include <torch/extension.h>
#elif defined(NO_STAND_IN)
#include <pybind11/numpy.h>
#endif
#define ALIGNED __align__(16)
// CHECK-DAG: :[[#@LINE+1]]:1: note: 'outside' has a size, so that nvcc takes 'extern' for a static definition (#20044-D): it is not the dynamic shared memory of the launch
extern __shared__ float outside[32][32];
__global__ void of_file(float *p) {
  outside[threadIdx.y][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = outside[threadIdx.x][threadIdx.y];
}
// CHECK-DAG: note: 'inside' has a size
__global__ void of_kernel(float *p) {
  extern ALIGNED __shared__ float inside[64];
  inside[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = inside[63 - threadIdx.x];
}
// CHECK-DAG: note: 'later' has a size
__global__ void word_after(float *p) {
  __shared__ extern float later[64];
  later[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = later[63 - threadIdx.x];
}
__global__ void dynamic(float *p) {
  extern __shared__ float any[];
  any[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = any[63 - threadIdx.x];
}
void run(float *p) {
  of_file<<<1, dim3(32, 32)>>>(p);
  of_kernel<<<1, 64, 256>>>(p);
  word_after<<<1, 64>>>(p);
  dynamic<<<1, 64, 256>>>(p);
}
// CHECK: {{^}}of_file {{.*}} shared=4,096 B{{$}}
// CHECK: outside[threadIdx.x][threadIdx.y] {{ *}}load 32 {{.*}} 32-way {{ *}}exact
// CHECK: {{^}}of_kernel {{.*}} shared=512 B (256 dynamic)
// CHECK: {{^}}word_after {{.*}} shared=256 B{{$}}
// CHECK: {{^}}dynamic {{.*}} shared=256 B (256 dynamic)
