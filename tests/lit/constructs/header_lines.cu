// ptxas begins a row of its line table where file or line change: accesses by one line of a header, called from two, may be attributed
// on either, which is assumed. One call is certain.
// RUN: %lint %s --fail-on=never --verbose | FileCheck %s
#include <cuda_fp16.h>
#define HALF2(value) (reinterpret_cast<half2 *>(&(value))[0])

// smem-lint: launch block=(32) grid=(1) n=64
__global__ void two(half *x, half *y, int n) {
// CHECK-LABEL: two grid
  const int i = threadIdx.x * 4;
  const half2 a = HALF2(x[i]), b = HALF2(x[i + 2]);
  if (i < n)
    HALF2(y[i]) = __hadd2(a, b);
// CHECK: {{^ *}}13:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
  if (i + 2 < n)
    HALF2(y[i + 2]) = __hmul2(a, b);
// CHECK: {{^ *}}16:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
}

// smem-lint: launch block=(32) grid=(1)
__global__ void one(half *x, half *y) {
// CHECK-LABEL: one grid
  HALF2(y[threadIdx.x * 2]) = HALF2(x[threadIdx.x * 2]);
// CHECK: {{^ *}}23:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
}

// Loads from two lines that nothing keeps apart: ptxas moves them next to each other. In a branch a load stays here; where ptxas predicates it, it may not.
// smem-lint: launch block=(32) grid=(1)
__global__ void loads(half2 *x, half2 *y, half2 *z) {
// CHECK-LABEL: loads grid
  half2 a, b;
  a = x[threadIdx.x];
// CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
  b = y[threadIdx.x];
// CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
  z[threadIdx.x] = __hadd2(a, b);
}

// smem-lint: launch block=(32) grid=(1)
__global__ void loads_apart(half2 *x, half2 *y, unsigned *z) {
// CHECK-LABEL: loads_apart grid
  half2 a, b;
  a = x[threadIdx.x];
// CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
  if (threadIdx.x < 7) {
    b = y[threadIdx.x];
// CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
    z[threadIdx.x + 32] = reinterpret_cast<unsigned &>(b);
  }
  z[threadIdx.x] = reinterpret_cast<unsigned &>(a);
}
