// A null pointer that the kernel asks about is known to be null.
// RUN: %lint %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void add_bias(float *out, const float *bias) {
  float sum = out[threadIdx.x];
  if (bias != nullptr)
    sum += bias[threadIdx.x];
  out[threadIdx.x] = sum;
}
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  add_bias<<<1, 32>>>(out, nullptr);
}
// CHECK: 6:15  out[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}exact
// CHECK-NOT: bias[threadIdx.x] {{ *}}load 32 {{ *}}1
// CHECK: 9:20  out[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
