// Loads that a later block alone needs. What is only read (const __restrict__, __ldg) nvcc moves into it past barriers and stores; what it can't tell that of ptxas moves behind the branch to the
// kernel's last block, or a loop, across exchanges between lanes. Machine code, CUDA 13.0, sm_90: the loads of those lanes alone.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void only_read(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const float x = in[t]; // assumed
  s[t] = t;
  __syncthreads();
  if (t < 40)
    out[t] = x * s[127 - t];
}
// CHECK: only_read grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void by_ldg(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const float x = __ldg(in + t); // assumed
  s[t] = t;
  __syncthreads();
  if (t < 40)
    out[t] = x * s[127 - t];
}
// CHECK: by_ldg grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void perhaps_written(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const float x = in[t]; // exact
  s[t] = t;
  __syncthreads();
  if (t < 40)
    out[t] = x * s[127 - t];
}
// CHECK: perhaps_written grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}{{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void across_an_exchange(const float *in, float *out) {
  const int t = threadIdx.x;
  const float x = in[t]; // assumed
  float y = t;
  y = __shfl_xor_sync(~0u, y, 1);
  if (t < 40)
    out[t] = x + y;
}
// CHECK: across_an_exchange grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}{{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void needed_by_all(const float *in, float *out) {
  const int t = threadIdx.x;
  float x = in[t]; // exact
  x += __shfl_xor_sync(~0u, x, 1);
  if (t < 40)
    out[t] = x;
}
// CHECK: needed_by_all grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}{{.*}}exact
