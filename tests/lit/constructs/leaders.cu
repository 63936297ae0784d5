// `if (lane == 0) s[2 * (t / 32)]`: LLVM drops masks that the condition implies, cicc does not, so that ptxas merges neighbours which LLVM's form of the address does not show to be
// aligned. Of 160 such kernels 31 lines were wrong, 6 of 480 now, all but three of them assumed; what conditions say of the alignment is assumed, as a remainder by another power
// leaves a shift of the same form that nvcc does not merge.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

__device__ void store(float *to, float value) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "f"(value));
}

// smem-lint: launch block=(128) grid=(1)
__global__ void two_of_inline_ptx(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const float x = in[t], y = in[t + 128];
  if (t % 32 == 0) {
    store(s + 2 * (t / 32), x);
    store(s + 2 * (t / 32) + 1, y);
  }
  __syncthreads();
  out[t] = s[t & 7];
}
// CHECK-LABEL: {{^}}two_of_inline_ptx 

// smem-lint: launch block=(128) grid=(1)
__global__ void four(const float *in, float *out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  const float x = in[t], y = in[t + 128], z = in[t + 256], w = in[t + 384];
  if (!(t & 7)) {
    s[(t >> 4) * 4] = x;
    s[(t >> 4) * 4 + 1] = y;
    s[(t >> 4) * 4 + 2] = z;
    s[(t >> 4) * 4 + 3] = w;
  }
  __syncthreads();
  out[t] = s[t & 31];
}
// CHECK-LABEL: {{^}}four 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}store 128 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 {{.*}}exact

// Each block computes the same mask: one base.
// smem-lint: launch block=(128) grid=(1)
__global__ void mask_of_two_blocks(const float *in, float *out, int n) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  const float x = in[t], y = in[t + 128];
  if (t % 16 == 0) {
    s[2 * (t >> 5)] = x;
    s[2 * (t >> 5) + 1] = y;
  }
  __syncthreads();
  if (t < n)
    out[t] = s[2 * (t >> 5)] + s[2 * (t >> 5) + 1];
}
// CHECK-LABEL: {{^}}mask_of_two_blocks 
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 64 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 64 {{.*}}assumed
