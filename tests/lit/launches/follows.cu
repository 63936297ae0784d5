// What host code leaves free is chosen once; the grid, the block, shared memory and arguments follow from it.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --fail-on=never %s --launch "copy:n=4096" 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %lint --fail-on=never %s --launch "step:block=64" 2>&1 | FileCheck %s --check-prefix=BLOCK
#include <cuda_runtime.h>

__global__ void step(float *a, const float *b, int K) { a[blockIdx.x * K + threadIdx.x] = b[threadIdx.x]; }
__global__ void copy(float *a, const float *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i];
}
__global__ void scan(float *y, const float *x, int wide, int tiles) {
  extern __shared__ float s[];
  const int d = threadIdx.x % wide, t = threadIdx.x / wide;
  s[d * tiles + t] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}
struct Shape { long columns; int rows; };
__global__ void rows(float *y, const Shape shape) { y[blockIdx.x * shape.columns + threadIdx.x] = 0; }

// CHECK: note: launch of step is not known entirely; assumed n = 1024, K = 256 (parameters of encode): grid=(1024,1,1), block=(256,1,1) follow from the host code [launch-unknown]
// CHECK: hint: say what is not known: --launch 'step:block=<value> grid=<value> K=<value>'
// CHECK: note: launch of copy is not known entirely; assumed n = 1024 (parameter of encode): grid=(8,1,1) follows from the host code [launch-unknown]
// CHECK: {{^}}step  grid=(1024) block=(256) K=256
// CHECK: {{^}}copy  grid=(8) block=(128) n=1024
// SAID: {{^}}copy  grid=(32) block=(128) n=4096
// BLOCK: {{^}}step  grid=(1024) block=(64) K=64
void encode(float *a, const float *b, int n, int K) {
  step<<<n, K>>>(a, b, K);
  copy<<<(n + 127) / 128, 128>>>(a, b, n);
}

// CHECK: {{^}}scan  grid=(1) block=(1024) shared=4,096 B (4,096 dynamic) wide=256 tiles=4
void run(float *y, const float *x, int wide) {
  int most = 1024 / wide, tiles = 1;
  while (tiles * 2 <= most) tiles *= 2;
  scan<<<1, wide * tiles, wide * tiles * sizeof(float)>>>(y, x, wide, tiles);
}

// CHECK: {{^}}rows  grid=(32) block=(32) shape{{.*}}=1024
void run_rows(float *y, Shape shape) { rows<<<shape.rows / 32, 32>>>(y, shape); }
