// A structure that is aligned to more than its numbers are, and than one of its members is long, is copied as a row of the widest accesses, on the line of the second
// copy where it goes through a variable. nvcc 13.0 for sm_90, machine code compared (217 types).
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct alignas(16) Beyond { unsigned head[3], rest[5]; };
struct alignas(16) Within { unsigned head[4], rest[4]; };
struct alignas(16) Short { double x; float y; };

// CHECK-LABEL: {{^}}beyond
// CHECK: [[#@LINE+6]]:{{.*}}store 128 {{ *}}2 {{.*}}exact
// CHECK: [[#@LINE+5]]:{{.*}}load 128 {{ *}}2 {{.*}}exact
// smem-lint: launch block=(32) grid=(1)
__global__ void beyond(const Beyond *in, int *out) {
  __shared__ Beyond s[32];
  const Beyond v = in[threadIdx.x];
  s[threadIdx.x] = v;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].head[0];
}

// CHECK-LABEL: {{^}}within
// CHECK: [[#@LINE+6]]:{{.*}}store 128 {{ *}}2 {{.*}}exact
// CHECK: [[#@LINE+4]]:{{.*}}load 128 {{ *}}2 {{.*}}exact
// smem-lint: launch block=(32) grid=(1)
__global__ void within(const Within *in, int *out) {
  __shared__ Within s[32];
  const Within v = in[threadIdx.x];
  s[threadIdx.x] = v;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].head[0];
}

// Padding is copied with it; of two copies the first has the line.
// CHECK-LABEL: {{^}}twice
// CHECK: [[#@LINE+7]]:{{.*}}store 128 {{ *}}1 {{.*}}exact
// CHECK: [[#@LINE+7]]:{{.*}}store 128 {{ *}}1 {{.*}}exact
// CHECK: [[#@LINE+5]]:{{.*}}load 128 {{ *}}1 {{.*}}exact
// smem-lint: launch block=(32) grid=(1)
__global__ void twice(const Short *in, float *out) {
  __shared__ Short s[64];
  const Short v = in[threadIdx.x];
  s[threadIdx.x] = v;
  s[threadIdx.x + 32] = v;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].y;
}

// Written in between: it may be fields.
// CHECK-LABEL: {{^}}between
// CHECK: s[threadIdx.x] {{ *}}store {{.*}}assumed
// CHECK: in[threadIdx.x] {{ *}}load {{.*}}assumed
// smem-lint: launch block=(32) grid=(1)
__global__ void between(const Beyond *in, int *out) {
  __shared__ Beyond s[32];
  const Beyond v = in[threadIdx.x];
  out[threadIdx.x + 32] = 1;
  s[threadIdx.x] = v;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].head[0];
}
