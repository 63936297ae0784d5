// Additions of floats in shared memory are loops of a load and a compare-and-swap. In a block of one warp no other warp comes in between, and the lanes of one word
// (or bank) take turns; where each lane has a bank of its own the loop goes round once. An H200 counts 409,600 loads and swaps of 819,200 wavefronts in
// a kernel of llm.c that adds up like `apart`.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(4)
__global__ void apart(float *out) {
  __shared__ float s[32];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}apart
// CHECK: 12:3 {{.*}}atomic 32 {{ *}}4 {{ *}}8 {{ *}}8 {{.*}}exact
// CHECK: 12:3 {{.*}}load 32 {{ *}}4 {{ *}}4 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(8,4) grid=(4)
__global__ void by_turns(float *out) {
  __shared__ float s[32];
  s[threadIdx.y * 8 + threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}by_turns
// CHECK: 25:3 {{.*}}atomic 32 {{ *}}16 {{ *}}32 {{ *}}32 {{.*}}assumed ([[#TURNS:]])
// CHECK: 25:3 {{.*}}load 32 {{ *}}16 {{ *}}16 {{ *}}16 {{.*}}assumed
// CHECK: ([[#TURNS]]) assumed: {{.*}}every one of these atomics changes the value [assumed-changed-value]

// Two warps may meet.
// smem-lint: launch block=(64) grid=(4)
__global__ void contended(float *out) {
  __shared__ float s[32];
  s[threadIdx.x % 32] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 32], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 32];
}
// CHECK-LABEL: {{^}}contended
// CHECK: 40:3 {{.*}}atomic 32 {{.*}}unknown
// CHECK: 40:3 {{.*}}load 32 {{.*}}unknown

// What is not known to be reached is not said to be zero, nor are its loads.
// smem-lint: launch block=(32) grid=(1)
__global__ void perhaps(float *out, const float *in) {
  __shared__ float s[32];
  s[threadIdx.x] = 0;
  if (in[0] > 1) atomicAdd(&s[threadIdx.x], 2.0f);
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}perhaps
// CHECK: 53:18 {{.*}}atomic 32 {{.*}}unknown
// CHECK: 53:18 {{.*}}load 32 {{.*}}unknown

// An address that no float has stops the GPU, and is not priced.
// smem-lint: launch block=(32) grid=(1)
__global__ void misaligned(float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(reinterpret_cast<float *>(reinterpret_cast<char *>(s) + 6 * threadIdx.x), 2.0f);
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}misaligned
// CHECK: 66:3 {{.*}}atomic 32 {{.*}}unknown
// CHECK: 66:3 {{.*}}load 32 {{.*}}unknown
