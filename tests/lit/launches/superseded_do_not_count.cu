// What a run that is not the default one would launch does not take the place of what the default one does.
// RUN: %lint --fail-on=never %s 2>%t.err | FileCheck %s
// RUN: FileCheck --check-prefix=ERR %s < %t.err
#include <cuda_runtime.h>

__global__ void late(float *out, int n) { out[threadIdx.x] = n; if (threadIdx.x < n) out[threadIdx.x + 32] = n; }
__global__ void always(float *out, int n) { out[threadIdx.x] = n; if (threadIdx.x < n) out[threadIdx.x + 32] = n; }

int main() {
  float *out;
  cudaMalloc(&out, 4096);
  for (int n = 0; n < 1000; ++n) {
    if (n >= 600)
      late<<<1, 32>>>(out, n);
    always<<<1, 32>>>(out, n);
  }
  // ERR: [[#@LINE-2]]:5: warning: launched with more than 624 different configurations or arguments; only the first 624 are analysed
  // ERR-NOT: configurations
}
// CHECK: 2 kernels, 1,024 launches
