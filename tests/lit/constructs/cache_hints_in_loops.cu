// Loads with a cache hint are volatile inline PTX in CUDA 13: each iteration does its own, and no store leaves the loop around them, though the last iteration's value alone is read.
// (Machine code of 9 loops read; __ldg() and loads without a hint beside them.)
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(4) n=100 m=7
__global__ void last_value(const float *p, float *o, int n, int m) {
  int i = threadIdx.x, j = blockIdx.x * 128 + i;
  for (int r = 0; r < m; ++r) {
    i += r;
    float v = __ldcs(p + i * n);
    o[j] = v;
  }
}
// CHECK-LABEL: {{^}}last_value
// CHECK-DAG: o[j] {{ *}}store 32 {{ *}}112 {{.*}}assumed
// CHECK-DAG: __ldcs(p + i * n) {{ *}}load 32 {{ *}}112 {{.*}}assumed

// smem-lint: launch block=(128) grid=(4) n=100 m=7
__global__ void constant_store(const float *p, float *o, int n, int m) {
  int i = threadIdx.x, j = blockIdx.x * 128 + i;
  for (int r = 0; r < m; ++r) {
    o[j + 1000] = n;
    o[j + r * 2000] = __ldcg(p + i * n + r);
  }
}
// CHECK-LABEL: {{^}}constant_store
// CHECK-DAG: o[j + 1000] {{ *}}store 32 {{ *}}112 {{.*}}assumed
// CHECK-DAG: __ldcg(p + i * n + r) {{ *}}load 32 {{ *}}112 {{.*}}exact
