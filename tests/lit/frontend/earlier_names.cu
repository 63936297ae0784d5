// Functions that CUDA has dropped, where a source calls them and where it has functions of its own with these names; behind a header that is not there, too.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s -- -DOWN_NAMES 2>&1 | FileCheck --check-prefix=OWN --implicit-check-not='earlier CUDA' %s
// RUN: not %lint --fail-on=never %s -- -DMISSING 2>&1 | FileCheck --check-prefix=MISSING %s
#ifdef MISSING
#include "not_there.h"
// MISSING: 'not_there.h' file not found
// MISSING: note: 'syncthreads' is of an earlier CUDA: analysed with a stand-in for it
// MISSING-NOT: is not analysed
// MISSING-LABEL: {{^}}turned
// MISSING: turned[63 - threadIdx.x] {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}} assumed
#endif
#ifdef OWN_NAMES
__device__ float saturate(float x) { return x; }
__device__ int mul24(int x, int y) { return x + y; }
#define syncthreads __syncthreads
#endif

// CHECK: :[[#@LINE+7]]:3: note: 'syncthreads' is of an earlier CUDA: analysed with a stand-in for it
// CHECK-LABEL: {{^}}turned
// CHECK: turned[63 - threadIdx.x] {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}} exact
// CHECK: out[mul24(threadIdx.x, 2)] {{ *}}store 32 {{ *}}2 {{ *}}16 {{ *}}8 {{.*}} exact
__global__ void turned_round(float *out) {
  __shared__ float turned[64];
  turned[threadIdx.x] = out[threadIdx.x];
  syncthreads();
  out[mul24(threadIdx.x, 2)] = saturate(turned[63 - threadIdx.x]);
}
// OWN-LABEL: {{^}}turned
// OWN: out[mul24(threadIdx.x, 2)] {{ *}}store 32 {{ *}}2 {{ *}}{{1[06]}} {{.*}} exact

int main() {
  float *p;
  cudaMalloc(&p, 4096);
  turned_round<<<1, 64>>>(p);
}
// CHECK: 1 kernel, 1 launch
