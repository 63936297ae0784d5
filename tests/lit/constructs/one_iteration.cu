// Loops of one iteration: which of them nvcc knows to be that before loads leave loops. Every figure, and every line, is that of nvcc's machine code.
// RUN: %lint --fail-on=never --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// `i + 1 < 1` is false of a counter that is not negative, once the loop is rotated: the load stands in the outer loop alone, leaves that, and loses its line.
// CHECK-LABEL: {{^}}rising
// CHECK: [[@LINE+8]]:3 {{ *}}tile {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void rising(int *out, int stride) {
  __shared__ int tile[16][8];
  const int lane = threadIdx.x;
  tile[lane & 15][lane >> 4] = lane;
  int sum = 0;

  // What has no line is counted on the last one before it.
  __syncthreads();
  for (int k = 1; k <= 4; k *= 2)
    for (int i = 0; i < 1; ++i)
      sum += tile[lane & 15][i * stride];
  out[lane] = sum;
}

// Likewise with another step.
// CHECK-LABEL: {{^}}stepping
// CHECK: {{[0-9]+:[0-9]+}}  tile {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void stepping(int *out, int stride) {
  __shared__ int tile[16][8];
  const int lane = threadIdx.x;
  tile[lane & 15][lane >> 4] = lane;
  int sum = 0;
  __syncthreads();
  for (int k = 1; k <= 4; k *= 2)
    for (int i = 0; i < 3; i += 3)
      sum += tile[lane & 15][i * stride];
  out[lane] = sum;
}

// Of a counter that falls nvcc knows no range: `i` is one until the loop is unrolled, and the load keeps its line.
// CHECK-LABEL: {{^}}falling
// CHECK: tile[lane & 15][i * stride] {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void falling(int *out, int stride) {
  __shared__ int tile[16][8];
  const int lane = threadIdx.x;
  tile[lane & 15][lane >> 4] = lane;
  int sum = 0;
  __syncthreads();
  for (int k = 1; k <= 4; k *= 2)
    for (int i = 0; i >= 0; --i)
      sum += tile[lane & 15][i * stride];
  out[lane] = sum;
}

// And a load whose address does not change there leaves the loop, without a line, in each round of the outer one.
// CHECK-LABEL: {{^}}leaving
// CHECK: tile[(lane + t) % 33 + i] {{ *}}store 32 {{ *}}3 {{.*}}exact
// CHECK: [[@LINE+5]]:20 {{ *}}in {{ *}}load 32 {{ *}}1 {{ *}}4 {{.*}}assumed
// CHECK-NOT: in[(lane * stride
// CHECK-LABEL: no findings
__global__ void leaving(const float *in, float *out, int stride) {
  __shared__ float tile[80];
  const int lane = threadIdx.x;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i >= 0; --i)
      tile[(lane + t) % 33 + i] = in[(lane * stride + 5) % 31];
    __syncthreads();
    out[lane + t * 32] = tile[lane ^ 1];
  }
}

int main() {
  int *a;
  float *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  rising<<<1, 32>>>(a, 1);
  stepping<<<1, 32>>>(a, 1);
  falling<<<1, 32>>>(a, 1);
  leaving<<<1, 32>>>(b, b, 3);
}
