// What a comment or the configuration states goes into the choice of what host code leaves free, as what an option states does.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s --set K=32 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %lint --fail-on=never %s --config "{Launches: ['configured:n=4096']}" 2>&1 | FileCheck %s --check-prefix=CONFIG
#include <cuda_runtime.h>

// smem-lint: launch K=64
__global__ void step(float *a, int K) { a[blockIdx.x * K + threadIdx.x] = 0; }
__global__ void configured(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0;
}
// smem-lint: launch block=96
__global__ void shaped(float *a, int n) { a[threadIdx.x * n] = 0; }

// CHECK: {{^}}step  grid=({{[0-9]+}}) block=(64) K=64
// CHECK: {{^}}configured  grid=(8) block=(128) n=1024
// CHECK: {{^}}shaped  grid=(1) block=(96) n=48
// OPTION: {{^}}step  grid=({{[0-9]+}}) block=(32) K=32
// CONFIG: {{^}}configured  grid=(32) block=(128) n=4096
void run(float *a, int K, int n, int m) {
  step<<<n, K>>>(a, K);
  configured<<<(n + 127) / 128, 128>>>(a, n);
  shaped<<<1, 2 * m>>>(a, m);
}
