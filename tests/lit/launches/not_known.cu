// What host code does not say is named with its reason, and only that is assumed.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void k(float *out, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(int argc, char **argv) {
  float *out;
  const int n = std::atoi(argv[1]);
  cudaMalloc(&out, n * sizeof(float));
  k<<<(n + 127) / 128, 128>>>(out, n);
// CHECK: not_known.cu:[[#@LINE-1]]:{{[0-9]+}}: note: launch of k is not known entirely; assumed std::atoi(argv[1]) = 1024 (argv): grid=(8,1,1) follows from the host code [launch-unknown]
// CHECK: k  grid=(8) block=(128) n=1024
}
