// Kernels launched through pointers, as both spellings of the call have it.
// RUN: %lint %s | FileCheck %s
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[threadIdx.x] = TAG; }
using Kernel = void (*)(float *);

static void launch(Kernel kernel, int threads, float *out) { (*kernel)<<<1, threads>>>(out); }

// CHECK: k<1>  grid=(1) block=(64)
// CHECK: k<2>  grid=(1) block=(96)
// CHECK: k<3>  grid=(1) block=(128)
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  launch(k<1>, 64, out);
  launch(&k<2>, 96, out);
  const Kernel third = k<3>;
  third<<<1, 128>>>(out);
}
