// An access that the compiler has moved to the line of a barrier is none of the barrier: the array's name tells what it is.
// RUN: %lint --fail-on=never %s | FileCheck %s
// CHECK: [[#@LINE+8]]:3: warning: 2-way bank conflict: load of s takes 2 wavefronts
// CHECK: {{ }}[[#@LINE+7]]:3 {{ *}}s {{ *}}load 32 {{.*}}assumed
// CHECK-NOT: load of __syncthreads
#include <cuda_runtime.h>
__global__ void k(const int *in, int *out) {
  __shared__ volatile int s[18][18];
  int x = threadIdx.x, y = threadIdx.y;
  s[y + 1][x + 1] = in[y * 16 + x];
  __syncthreads();
  int n;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    n = 0;
    if (s[y + 1][x + 1] == 1) {
      n += s[y][x] == 2;
      n += s[y][x + 1] == 2;
    }
    __syncthreads();
    if (n > 0)
      s[y + 1][x + 1] = 2;
    __syncthreads();
  }
  const int e = s[y + 1][x + 1];
  out[y * 16 + x] = e;
}
void run(const int *in, int *out) { k<<<4, dim3(16, 16)>>>(in, out); }
