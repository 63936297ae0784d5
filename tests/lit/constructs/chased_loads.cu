// `x = first[i]; while (next[x] != x) x = next[x];`: cicc makes one load of both, of an address that comes round the loop, and the first counts on the loop's line (by machine code nothing is left on its own).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(1)
__global__ void root(const int *first, int *next, int *out) {
  const int i = threadIdx.x;
  int x = first[i]; // load 32 assumed
  while (next[x] != x)
    x = next[x];
  out[i] = x;
}
// CHECK: root grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

__device__ int root_of(const int *next, int x) {
  while (next[x] != x)
    x = next[x];
  return x;
}

// smem-lint: launch block=(64) grid=(1)
__global__ void called(const int *first, int *next) {
  const int i = threadIdx.x;
  int x = root_of(next, first[i]);      // load 32 assumed
  int y = root_of(next, first[i + 64]); // load 32 assumed
  if (x != y)
    atomicMin(&next[x], y);
}
// CHECK: called grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// What the next iteration does not begin from stays.
// smem-lint: launch block=(64) grid=(1) n=10
__global__ void differences(const float *in, float *out, int n) {
  const int i = threadIdx.x;
  float before = in[i];
  for (int k = 1; k < n; ++k) {
    const float now = in[i + k * 64]; // load 32 exact
    out[i + k * 64] = now - before;
    before = now;
  }
}
// CHECK: differences grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
