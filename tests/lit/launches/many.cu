// More launches of one place than are kept: the report says so.
// RUN: %lint --format=json %s 2>%t.err | FileCheck --implicit-check-not='"value": 1024' %s
// RUN: FileCheck --check-prefix=ERR %s < %t.err
#include <cuda_runtime.h>

__global__ void step(float *out, int n) { out[threadIdx.x] = n; if (threadIdx.x < n) out[threadIdx.x + 32] = n; }

int main() {
  float *out;
  cudaMalloc(&out, 4096);
  for (int n = 0; n < 2000; ++n)
    step<<<1, 32>>>(out, n);
  // ERR: many.cu:[[#@LINE-1]]:5: warning: launched with more than 1024 different configurations or arguments; only the first 1024 are analysed
}
// CHECK: "value": 1023
