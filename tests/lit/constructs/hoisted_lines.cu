// A load that leaves its loop has no line and is counted with what comes before it in the PTX: with blockIdx.x of the same statement, as a call keeps its line. (Rows and lines as in nvcc's machine
// code. Named by its array, as what stands at that place is no access.)
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: {{^}}normalise
// CHECK: {{^ *}}[[#@LINE+8]]:{{[0-9]+}} {{ *}}mean {{ *}}load 32 {{ *}}24 {{ *}}24 {{.*}}assumed
__global__ void normalise(const float *__restrict__ in, float *__restrict__ out, float *sums, int n) {
  __shared__ float mean;
  if (threadIdx.x == 0)
    mean = sums[0] / n;
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float apart = in[blockIdx.x * n + i] - mean;
    sum += apart * apart;
  }
  atomicAdd(&out[threadIdx.x], sum);
}

int main() {
  float *x, *y, *z;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&y, 1 << 20);
  cudaMalloc(&z, 1 << 20);
  normalise<<<6, 128>>>(x, y, z, 1000);
}
