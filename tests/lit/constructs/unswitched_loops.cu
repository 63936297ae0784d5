// A loop that branches on what all lanes of a warp have in common, and what it does not change, is two loops to nvcc (LLVM 19 does so for all lanes or for none). Machine code, CUDA 13.0, sm_90: of 1,560
// loops 301 rows that the model had otherwise: stores that the next statement overwrites in one of the loops, words that are adjacent in one of them; and how far each of the two is unrolled.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// What is stored in the else block is overwritten at once.
// smem-lint: launch block=(128) grid=(8) n=8
__global__ void overwritten(float *out, int n) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  float total = id * 3.f;
  for (int i = 0; i < n; ++i) {
    if (blockIdx.x == 1)
      total += 2;
    else
      out[i + id * 8] = total; // none
    out[i + id * 8] = total * 2; // store 32 assumed
  }
}
// CHECK: overwritten grid=
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// Not where lanes part.
// smem-lint: launch block=(128) grid=(8) n=8
__global__ void by_thread(float *out, int n) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  float total = id * 3.f;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < 40)
      total += 2;
    else
      out[i + id * 8] = total; // store 32 exact
    out[i + id * 8] = total * 2; // store 32 exact
  }
}
// CHECK: by_thread grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact

// Not where the loop has a barrier.
// smem-lint: launch block=(128) grid=(8) n=8
__global__ void with_barrier(float *out, int n) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  float total = id * 3.f;
  for (int i = 0; i < n; ++i) {
    if (blockIdx.x == 1)
      total += 2;
    else
      out[i + id * 8] = total; // store 32 exact
    __syncthreads();
    out[i + id * 8] = total * 2; // store 32 exact
  }
}
// CHECK: with_barrier grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact

// Two such conditions: by one of them, or by both.
// smem-lint: launch block=(128) grid=(8) n=8 m=3
__global__ void by_two(float *out, int n, int m) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  float total = id * 3.f;
  for (int i = 0; i < n; ++i) {
    if (blockIdx.x == 1)
      total += 2;
    else
      out[i + id * 8] = total; // store 32 assumed
    out[i + id * 8] = total * 2;
    if (m == 3)
      out[i + id * 8] = total * 3;
  }
}
// CHECK: by_two grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed

// How far each of the two is unrolled: by two, where the loop with both blocks would stay. Lanes that leave at different iterations show it, 66 requests for 64.
// smem-lint: launch block=(256) grid=(2) n=1000 mode=1
__global__ void unrolled_apart(const float *in, float *out, int n, int mode) {
  float b = in[threadIdx.x];
  const int step = blockDim.x;
  for (int i = threadIdx.x; i < n; i += step) {
    const float x = in[i]; // load 32 assumed
    if (mode == 1) {
      b = b * x + 1; b = b * x + 2; b = b * x + 3; b = b * x + 4; b = b * x + 5; b = b * x + 6; b = b * x + 7; b = b * x + 8; b = b * x + 9; b = b * x + 10;
      b = b * x + 11; b = b * x + 12; b = b * x + 13; b = b * x + 14; b = b * x + 15; b = b * x + 16; b = b * x + 17; b = b * x + 18; b = b * x + 19; b = b * x + 20;
      b = b * x + 21; b = b * x + 22; b = b * x + 23; b = b * x + 24; b = b * x + 25; b = b * x + 26; b = b * x + 27; b = b * x + 28; b = b * x + 29; b = b * x + 30;
    } else {
      b = b * x - 1; b = b * x - 2; b = b * x - 3; b = b * x - 4; b = b * x - 5; b = b * x - 6; b = b * x - 7; b = b * x - 8; b = b * x - 9; b = b * x - 10;
      b = b * x - 11; b = b * x - 12; b = b * x - 13; b = b * x - 14; b = b * x - 15; b = b * x - 16; b = b * x - 17; b = b * x - 18; b = b * x - 19; b = b * x - 20;
      b = b * x - 21; b = b * x - 22; b = b * x - 23; b = b * x - 24; b = b * x - 25; b = b * x - 26; b = b * x - 27; b = b * x - 28; b = b * x - 29; b = b * x - 30;
    }
  }
  out[threadIdx.x] = b;
}
// CHECK: unrolled_apart grid=
// CHECK-DAG: {{^ *}}[[#@LINE-14]]:{{[0-9]+}} {{.*}}load 32 66 {{.*}}assumed

// One of two conditions is such a one.
// smem-lint: launch block=(128) grid=(8) n=1024
__global__ void by_a_part(int *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (x[i] != -1) // load 32 assumed
      if (blockIdx.x == 1)
        x[i] = 0;
}
// CHECK: by_a_part grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
