// A program that is too long to be followed: the launches that were met are analysed, and the report says that others may be missing.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

__global__ void k(float *out) { out[threadIdx.x] = 1; }

// CHECK: too_long.cu:[[#@LINE+2]]:5: warning: the program is too long to be followed to its end
// CHECK: {{^}}k  grid=(1) block=(32)
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  long sum = 0;
  for (int i = 0; i < 4000; ++i) {
    k<<<1, 32>>>(out);
    for (int j = 0; j < 30; ++j)
      for (int l = 0; l < 10; ++l)
        sum += i * j - l;
  }
  k<<<1, 64>>>(out + sum);
}
