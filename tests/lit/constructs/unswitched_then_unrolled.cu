// A condition that a loop does not change leaves it, and then what is under it stays in the loop until that has been unrolled in part: it leaves the iterations that are made one and those
// that are left over, each of them. Machine code, CUDA 13.0, sm_90.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32,2) grid=(2) trips=7
__global__ void under_a_condition(float *out, int trips) {
  __shared__ int s[64];
  for (int i = 0; i < trips; ++i)
    if (blockIdx.x < 10)
      s[threadIdx.y] = threadIdx.x; // 4 warps, twice: 1 of 4 iterations, 1 of 3
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: under_a_condition grid=
// CHECK: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{ *}}8 {{ *}}8 {{.*}}assumed

// smem-lint: launch block=(32,2) grid=(2) trips=7
__global__ void not_unrolled(float *out, int trips) {
  __shared__ int s[64];
#pragma unroll 1
  for (int i = 0; i < trips; ++i)
    if (blockIdx.x < 10)
      s[threadIdx.y] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: not_unrolled grid=
// CHECK: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{ *}}4 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(32,2) grid=(2) trips=7
__global__ void always(float *out, int trips) {
  __shared__ int s[64];
  for (int i = 0; i < trips; ++i)
    s[threadIdx.y] = threadIdx.x; // has left the loop before
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: always grid=
// CHECK: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{ *}}4 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(32,2) grid=(2) trips=7
__global__ void read_and_written(const int *in, float *out, int trips) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
#pragma unroll 4
  for (int i = 0; i < trips; ++i)
    if (blockIdx.x < 10)
      s[threadIdx.y] += threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: read_and_written grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{ *}}8 {{ *}}8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{ *}}8 {{ *}}8 {{.*}}assumed
