// A program that gives up without arguments, and without a second GPU, is followed as if it had them; what they would say stays unknown.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void k(float *out, int n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = 1;
}

// CHECK: launch of k is not known entirely; assumed std::atoi(argv[1]) = 1024 (argv)
// CHECK: {{^}}k  grid=(16) block=(128)
int main(int argc, char **argv) {
  if (argc != 2) {
    std::printf("usage: %s N\n", argv[0]);
    return 1;
  }
  int devices = 0;
  cudaGetDeviceCount(&devices);
  if (devices < 2)
    std::exit(1);
  float *out;
  cudaMalloc(&out, 4096);
  k<<<16, 128>>>(out, std::atoi(argv[1]));
}
