// What nvcc may do otherwise than its model has it, each with the id under which the documentation explains it.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint-short --fail-on=never --format=json %s | FileCheck %s --check-prefix=JSON
// RUN: %lint-short --fail-on=never --format=sarif %s | FileCheck %s --check-prefix=SARIF
#include <cuda_pipeline.h>

// That `base | 1` lies behind `base` is known of the bits only.
__global__ void adjacent(float *out, int a) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = a;
  __syncthreads();
  const int base = (threadIdx.x * 12 + a) & 1020;
  // CHECK: [[#@LINE+1]]:22 tile[base] {{.*}}load 128 {{.*}}assumed (1)
  out[threadIdx.x] = tile[base] + tile[base | 1] + tile[base | 2] + tile[base | 3];
}
// CHECK: (1) assumed: nvcc recognises these accesses as adjacent, and merges them [assumed-adjacent-access]

__device__ __noinline__ void add(int *p, int v) {
  // CHECK: [[#@LINE+1]]:3 atomicAdd(p + 2 * threadIdx.x, v) {{.*}}atomic 32 {{.*}}assumed (1)
  atomicAdd(p + 2 * threadIdx.x, v);
}

__global__ void called(int *out) {
  __shared__ int bins[128];
  bins[threadIdx.x] = 0;
  __syncthreads();
  add(bins, 1);
  add(bins, 2);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}
// CHECK: (1) assumed: nvcc knows the memory space of this atomic, although the function is not inlined [assumed-address-space]

__global__ void copied(const float4 *in, float4 *out, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  // CHECK: [[#@LINE+1]]:3 __pipeline_memcpy_as{{.*}} async copy 128 {{.*}}assumed (1)
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // CHECK: [[#@LINE+1]]:10 tile[threadIdx.x] {{.*}}load 128 {{.*}}exact
  out[i] = tile[threadIdx.x];
}
// CHECK: (1) assumed: nvcc branches to the end of the kernel where this copy is not made, and does not predicate the copy [assumed-copy-branch]

__global__ void late(const int *in, float *out, int rounds) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 1
    for (int i = 0; i < (int)threadIdx.x % 3; ++i)
      // CHECK: [[#@LINE+1]]:14 tile[(i * round + threadIdx.x) & 63] {{.*}}load 32 {{.*}}assumed (1)
      sum += tile[(i * round + threadIdx.x) & 63];
    out[round * 64 + threadIdx.x] = sum;
  }
}
// CHECK: (1) assumed: lanes that leave the loop at different iterations reconverge after it, before the next round of the loop around it [assumed-late-reconvergence]

int main() {
  adjacent<<<1, 64>>>(nullptr, 1);
  called<<<1, 64>>>(nullptr);
  copied<<<2, 64>>>(nullptr, nullptr, 100);
  late<<<1, 64>>>(nullptr, nullptr, 4);
}

// JSON: "kernel": "adjacent",
// JSON: "expression": "tile[base]",
// JSON: "uncertainties": [
// JSON-NEXT: "assumed-adjacent-access"
// JSON-NEXT: ],
// JSON: "kernel": "late",
// JSON: "uncertainties": [
// JSON-NEXT: "assumed-late-reconvergence"
// JSON-NEXT: ],

// SARIF: "verdict": "assumed",
// SARIF-NEXT: "uncertainties": [
// SARIF-NEXT: "assumed-address-space"
