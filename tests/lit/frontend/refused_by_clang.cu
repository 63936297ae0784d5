// What nvcc takes and Clang refuses, rewritten in memory.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='in part only' %s
// RUN: %lint --fail-on=never %s -- -std=c++17 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %lint --fail-on=never %s -- -DREFUSED 2>&1 | FileCheck --check-prefix=REFUSED %s
#include <cuda_fp16.h>

#define PRAGMA_UNROLL #pragma unroll
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}} {{.*}}store 32 {{ *}}4 {{ *}}16 {{.*}}assumed
__global__ void unrolled(float *p, int n) {
  register float v = n;
  PRAGMA_UNROLL
  for (int i = 0; i < 4; ++i)
    p[threadIdx.x + 32 * i] = v;
}

// CHECK-DAG: p[threadIdx.x] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}assumed
__global__ void pairs(half2 *p, const half *q) {
  p[threadIdx.x] = {q[threadIdx.x], q[threadIdx.x + 1]};
  const float narrow[1] = {1.0 * blockDim.x};
  if (narrow[0] == 77)
    p[0] = {q[0], q[1]};
}

template <typename T> void mask(dim3 &grid);
template <typename T> void mask<T>(dim3 &grid) { grid.x = 3; }
template <typename T> __global__ void masked(T *p) { p[threadIdx.x] = 1; }

// CHECK-DAG: {{^}}masked<float>  grid=(3) block=(32)
void run(float *p, half *h, int length) {
  dim3 grid(4);
  mask<float>(grid);
  int histogram[length] = {0};
  histogram[0] = 1;
  masked<<<grid, 32>>>(p);
  unrolled<<<1, 32>>>(p, 1);
  pairs<<<1, 32>>>(reinterpret_cast<half2 *>(h), h);
}

#ifdef REFUSED
// REFUSED: error: host function 'wrong' is followed in part only: cannot initialize a variable of type 'int *' with
void wrong() { int *p = 1.5f; }
#endif
