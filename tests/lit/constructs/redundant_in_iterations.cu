// A load in a branch that an iteration of a later loop makes again: nvcc unrolls the loop, and then loads either before the branch or in its other block (machine code: no load on the first line, 48 for 64
// requests on the second). Barriers between do not matter where nothing can write.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(256) grid=(2)
__global__ void first_iteration(const float *__restrict__ in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  if (t % 32 < 16)
    sum += in[t];
  // CHECK-LABEL: {{^}}first_iteration
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} in[t] {{.*}}assumed
  s[t] = sum;
  __syncthreads();
  sum += s[(t + 24) % 256];
  for (int k = 0; k < 4; ++k)
    sum += in[t + k * 64];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t + k * 64] {{.*}}assumed
  out[t] = sum;
}

// smem-lint: launch block=(256) grid=(2)
__global__ void a_later_one(const float *__restrict__ in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  if (t % 32 < 16)
    sum += in[t + 128];
  // CHECK-LABEL: {{^}}a_later_one
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} in[t + 128] {{.*}}assumed
  s[t] = sum;
  __syncthreads();
  sum += s[(t + 24) % 256];
  for (int k = 0; k < 4; ++k)
    sum += in[t + k * 64];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t + k * 64] {{.*}}assumed
  out[t] = sum;
}

// smem-lint: launch block=(256) grid=(2)
__global__ void by_a_pointer(const float *__restrict__ in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  if (t % 32 < 16)
    sum += in[t];
  // CHECK-LABEL: {{^}}by_a_pointer
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} in[t] {{.*}}assumed
  s[t] = sum;
  __syncthreads();
  sum += s[(t + 24) % 256];
  const float *p = in + t;
  for (int k = 0; k < 4; ++k, p += 64)
    sum += *p;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} *p {{.*}}assumed
  out[t] = sum;
}

// No iteration makes it, or the loop stays one.
// smem-lint: launch block=(256) grid=(2) n=4
__global__ void none(const float *__restrict__ in, float *out, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  if (t % 32 < 16)
    sum += in[t + 100];
  // CHECK-LABEL: {{^}}none
  // CHECK: [[#@LINE-2]]:{{[0-9]+}} in[t + 100] {{.*}} 16 {{.*}}exact
  for (int k = 0; k < 4; ++k)
    sum += in[t + k * 64];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t + k * 64] {{.*}} 64 {{.*}}exact
  if (t % 32 < 8)
    sum += in[t + 512];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t + 512] {{.*}} 16 {{.*}}exact
  for (int k = 0; k < n; ++k)
    sum += in[t + k * 256];
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[t + k * 256] {{.*}} 64 {{.*}}exact
  out[t] = sum;
}
