// Where tables of constants are: `__device__ const` ones and static ones of a function in global memory, those of a function that are not static in local memory. 8 kinds of declarations and 67 arrays, PTX read.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

#define VALUES {1.5f, 2, 3, 4, 5, 6, 7, 8}
alignas(256) __device__ const float of_device[8] = VALUES;
alignas(256) static const __device__ float of_file[8] = VALUES;
__constant__ float constant[8] = VALUES;

// smem-lint: launch block=32 grid=1
__global__ void read_only(float *out) {
  const float a = of_device[threadIdx.x % 8];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}of_device[threadIdx.x % 8] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  const float b = of_file[threadIdx.x % 8];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}of_file[threadIdx.x % 8] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  alignas(256) static const float of_function[8] = VALUES;
  const float c = of_function[threadIdx.x % 8];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}of_function[threadIdx.x % 8] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = a * b + c * constant[threadIdx.x % 8];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
}

// smem-lint: launch block=32 grid=1
__global__ void local(float *out) {
  const float weights[8] = VALUES;
  float others[] = VALUES;
  out[threadIdx.x] = weights[threadIdx.x % 8] + others[threadIdx.x % 4];
}
// CHECK-LABEL: {{^}}local
// CHECK-NOT: load 32
// CHECK: out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK-NOT: {{others|weights}}
