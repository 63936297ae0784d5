// Launch sites with very many launches share what a file may have: those with few keep theirs, and the others say what is left out.
// RUN: %lint --format=json %s 2>%t.err | FileCheck --implicit-check-not='"value": 500,' %s
// RUN: FileCheck --check-prefix=ERR %s < %t.err
#include <cuda_runtime.h>

__global__ void step(float *out, int n) { out[threadIdx.x] = n; if (threadIdx.x < n) out[threadIdx.x + 32] = n; }
__global__ void few(float *out, int n) { out[threadIdx.x] = n; if (threadIdx.x < n) out[threadIdx.x + 32] = n; }

int main() {
  float *out;
  cudaMalloc(&out, 4096);
  for (int n = 0; n < 2000; ++n) {
    step<<<1, 32>>>(out, n);
    step<<<1, 64>>>(out, n);
  }
  for (int n = 0; n < 24; ++n)
    few<<<1, 32>>>(out, n);
  // ERR: shared_by_sites.cu:[[#@LINE-5]]:5: warning: launched with more than 500 different configurations or arguments; only the first 500 are analysed
  // ERR: shared_by_sites.cu:[[#@LINE-5]]:5: warning: launched with more than 500 different configurations or arguments; only the first 500 are analysed
}
// CHECK: "value": 499
