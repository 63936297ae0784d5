// Several aborts or exits in one block: what follows the first goes with it.
// RUN: %lint %s | FileCheck %s
#include <cassert>
#include <cuda_runtime.h>

__global__ void asserts(float *out, int n) {
  assert(n % 32 == 0);
  assert(n < 1000);
  out[threadIdx.x] = n;
}
__global__ void exits(float *out) {
  out[threadIdx.x] = INFINITY;
  asm volatile("exit;");
  asm volatile("exit;");
}
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  asserts<<<1, 32>>>(out, 64);
  exits<<<1, 32>>>(out);
}
// CHECK: asserts  grid=(1) block=(32)
// CHECK: 9:20  out[threadIdx.x]  store 32 {{.*}} exact
// CHECK: exits  grid=(1) block=(32)
// CHECK: 12:20  out[threadIdx.x]  store 32 {{.*}} exact
