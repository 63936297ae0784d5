// LLVM makes one store of two in the then and else blocks, which keeps the line of a header that both call and loses the calls; nvcc keeps both. It is attributed as one that has no line.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_bf16.h>

// smem-lint: launch block=(32) grid=(1) h=3
__global__ void masked(const float *in, const int *slots, __nv_bfloat16 *out, int h) {
  const float x = in[threadIdx.x];
  if (slots[0] >= 0)
    out[h * 128 + threadIdx.x] = x;
  else
    out[h * 128 + threadIdx.x] = 0.0f;
}
// CHECK-LABEL: {{^}}masked
// CHECK-NOT: cuda_bf16.hpp
// CHECK: {{^ *}}11:{{.*}}store 16 {{.*}}assumed
