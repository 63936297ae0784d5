// `x[i] = x[j]` leaves x[j] as it is, whatever i and j are. LLVM knows that, nvcc does not: it loads x[j] once more (two `LDG` in the machine code, and in the well-known scan two `LDS` of temp[bi] for each step down).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) m=5 n=9
__global__ void within_one_array(float *x, int m, int n) {
  const int i = threadIdx.x * m, j = threadIdx.x * n;
  const float first = x[i]; // load 32 exact
  x[i] = x[j];   // load 32 exact
  x[j] += first; // load 32 exact
}
// CHECK: within_one_array grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=256 dynamic=1024
__global__ void scan_down(float *data, int n) {
  extern __shared__ float temp[];
  const int t = threadIdx.x;
  temp[2 * t] = data[2 * t];
  temp[2 * t + 1] = data[2 * t + 1];
  int offset = 256;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      const float left = temp[ai]; // load 32 exact
      temp[ai] = temp[bi]; // load 32 exact
      temp[bi] += left; // load 32 exact
    }
  }
  __syncthreads();
  data[t] = temp[t];
}
// CHECK: scan_down grid=
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// Of two pointers that are `__restrict__` nvcc knows that they lead to different places.
// smem-lint: launch block=(128) grid=(1) m=5 n=9
__global__ void between_restricted(const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  const int i = threadIdx.x * m, j = threadIdx.x * n;
  y[i] = x[j]; // load 32 exact
  const float again = x[j]; // none
  y[i + 1] = again * 2;
}
// CHECK: between_restricted grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:

// Bytes are aligned wherever they are.
// smem-lint: launch block=(128) grid=(1) m=5 n=9
__global__ void of_bytes(unsigned char *x, int m, int n) {
  const int i = threadIdx.x * m, j = threadIdx.x * n;
  const unsigned char first = x[i]; // load 8 exact
  x[i] = x[j];   // load 8 exact
  x[j] += first; // load 8 exact
}
// CHECK: of_bytes grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 8 {{.*}}exact

// The store stays in the loop: 4 warps, 9 iterations.
// smem-lint: launch block=(128) grid=(1) n=9
__global__ void of_bytes_in_a_loop(const unsigned char *x, unsigned char *y, int n) {
  for (int k = 0; k < n; k++)
    y[threadIdx.x] = x[threadIdx.x + 1]; // store 8 assumed
}
// CHECK: of_bytes_in_a_loop grid=
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{[0-9]+}} {{.*}}store 8 {{.*}}assumed
