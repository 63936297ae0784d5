// Any stride of a tensor is as good as another, whether the program does not say or has it from what is not followed: they stay symbols.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s --launch 'rows:a.strides_[0]=64 a.strides_[1]=1' 2>&1 | FileCheck --check-prefix=STATED %s
#include <torch/extension.h>

// CHECK: {{^}}rows  grid=(8) block=(32) a.sizes_[0]=? a.sizes_[1]=? a.strides_[0]=? a.strides_[1]=?
// CHECK: not known: a.strides_[0]: a tensor may have any strides
// CHECK: a[blockIdx.x][threadIdx.x] {{ *}}load 32 {{.*}}unknown
// CHECK: unknown: the value of argument `a.strides_[1]` is not known
// STATED: {{^}}rows  grid=(8) block=(32) {{.*}} a.strides_[0]=64 a.strides_[1]=1
// STATED: a[blockIdx.x][threadIdx.x] {{ *}}load 32 {{ *}}8 {{ *}}32 {{ *}}32 {{.*}}assumed
__global__ void rows(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> a, float *out) {
  out[threadIdx.x] = a[blockIdx.x][threadIdx.x];
}

// Its size is assumed, as sizes are.
// CHECK: {{^}}without_launch {{.*}}a.sizes_[0]=1024 a.strides_[0]=?
// CHECK: a.sizes_[0]=1024: not known from the source
__global__ void without_launch(torch::PackedTensorAccessor64<float, 1> a, float *out) {
  if (threadIdx.x < a.size(0))
    out[threadIdx.x] = a[threadIdx.x];
}

void run(at::Tensor x, float *out) { rows<<<8, 32>>>(x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(), out); }
