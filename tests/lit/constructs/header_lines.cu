// ptxas begins a row of its line table where file or line change: stores by one line of a header, called from two, may be booked
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
