// A structure of 128 bytes and more is copied by a loop of accesses as wide as it is aligned, which is straight-line code up to 16 iterations; a loop has no line.
// nvcc 13.0 for sm_90, PTX and machine code read.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct alignas(16) Wide { float v[36]; };
struct Narrow { float v[36]; };
struct alignas(64) Lines { float v[256]; };

// CHECK-LABEL: {{^}}wide
// CHECK: [[#@LINE+6]]:{{.*}}store 128 {{ *}}9 {{ *}}36 {{ *}}36 {{ *}}- exact
// CHECK: [[#@LINE+5]]:{{.*}}load 128 {{ *}}9 {{.*}}exact
// CHECK-NOT: assumed-structure-copy
// smem-lint: launch block=(32) grid=(1)
__global__ void wide(const Wide *in, float *out) {
  __shared__ Wide s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].v[0];
}

// CHECK-LABEL: {{^}}narrow
// CHECK: [[#@LINE+4]]:{{.*}}store 32 {{ *}}36 {{ *}}144 {{ *}}36 {{ *}}4-way assumed
// smem-lint: launch block=(32) grid=(1)
__global__ void narrow(const Narrow *in, float *out) {
  __shared__ Narrow s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].v[0];
}

// CHECK-LABEL: {{^}}lines
// CHECK: [[#@LINE+4]]:{{.*}}load 128 {{ *}}64 {{.*}}exact
// smem-lint: launch block=(32) grid=(1)
__global__ void lines(const Lines *in, float *out) {
  __shared__ Lines s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].v[0];
}
