// Then and else blocks whose else block several conditions lead to, as those of a halo: nvcc mostly makes one store of both in a loop, on the line of the first one or on none (112 kernels, machine code).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(256) grid=(1) n=9
__global__ void halo(const float *in, float *out, int n) {
  __shared__ float s[18 * 18];
  for (int i = threadIdx.x; i < 324; i += 256) {
    int y = i / 18;
    if (i < 200 && y / n < 2)
      s[i] = in[i];
      // CHECK-LABEL: {{^}}halo
      // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i] {{ *}}store 32 {{.*}}assumed
    else
      s[i] = 0;
      // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}s[i] {{ *}}store 32 {{.*}}assumed
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// smem-lint: launch block=(256) grid=(1) n=9 m=256
__global__ void global_halo(const float *in, float *out, int n, int m) {
  for (int i = threadIdx.x; i < m; i += 256)
    if (i < 200 && i / n < 2 && i % n > 1)
      out[i] = in[i];
      // CHECK-LABEL: {{^}}global_halo
      // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[i] {{ *}}store 32 {{.*}}assumed
    else
      out[i] = 0;
      // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}out[i] {{ *}}store 32 {{.*}}assumed
}

// What follows a block is in none of its ways.
// smem-lint: launch block=(256) grid=(1) n=9
__global__ void behind(const float *in, float *out, int n) {
  __shared__ float s[256], r[256];
  const int t = threadIdx.x;
  if (t < 200 && t / n < 2)
    s[t] = in[t];
    // CHECK-LABEL: {{^}}behind
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[t] {{ *}}store 32 {{.*}}exact
  __syncthreads();
  r[t] = 0;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}r[t] {{ *}}store 32 {{.*}}exact
  __syncthreads();
  out[t] = s[t / 32] + r[t ^ 1];
}
