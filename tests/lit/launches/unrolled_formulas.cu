// What unrolling and peeling leave in the counts of a loop is taken out of the formulas again.
// RUN: %lint %s --checks='-*' --launch 'block=256' | FileCheck %s

// CHECK-LABEL: late
// CHECK: line[threadIdx.x] {{ *}}store 32 {{ *}}1  wavefronts  8*gridDim.x*max(nz - 8, 0)
__global__ void late(float *out, int nz) {
  __shared__ float line[256];
#pragma unroll 2
  for (int k = 8; k < nz; ++k) {
    line[threadIdx.x] += 1.5f;
    __syncthreads();
  }
  out[threadIdx.x] = line[255 - threadIdx.x];
}

// Two buffers in turn: a loop of four, with what is left over, over the steps of a size that is rounded up.
// CHECK-LABEL: alternating
// CHECK: buffers[buffer][threadIdx.x] {{ *}}store 32 {{ *}}1  wavefronts  8*ceil(n/256)*gridDim.x
__global__ void alternating(float *out, const float *in, int n) {
  __shared__ float buffers[2][256];
  float sum = 0;
  int buffer = 0;
  const int steps = (n + 255) / 256;
  for (int k = 0; k < steps; ++k) {
    buffers[buffer][threadIdx.x] = in[k * 256 + threadIdx.x];
    __syncthreads();
    sum += buffers[buffer][255 - threadIdx.x];
    buffer ^= 1;
  }
  out[threadIdx.x] = sum;
}
