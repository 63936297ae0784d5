// Accesses of statements that span lines stand where nvcc's line table has them. Read off the `.loc` lines of nvcc 13.0's PTX.
// RUN: %lint %s --fail-on=never | FileCheck %s
struct __attribute__((aligned(16))) Four { float a, b, c, d; };
__device__ __forceinline__ int mix(int a, int b) { return a ^ b; }

// smem-lint: launch block=(32) grid=(1) i=0 j=64
__global__ void lines(float *x, const float *y, Four *s, const Four *t, int i, int j) {
// CHECK: lines grid
  x[threadIdx.x + i +
    j] =
      y[threadIdx.x +
        j];
// The last name of an address counts.
// CHECK-DAG: {{^ *}}10:{{[0-9]+ .*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}12:{{[0-9]+ .*}}load 32 {{.*}}exact
  s[threadIdx.x + i] =
      t[threadIdx.x + j];
// A copy is attributed to the right,
// CHECK-DAG: {{^ *}}17:{{[0-9]+ .*}}store 128 {{.*}}exact
// CHECK-DAG: {{^ *}}17:{{[0-9]+ .*}}load 128 {{.*}}exact
  s[mix(threadIdx.x, i) + 64] =
      t[threadIdx.x + j + 64];
// unless there is a call:
// CHECK-DAG: {{^ *}}21:{{[0-9]+ .*}}store 128 {{.*}}exact
// CHECK-DAG: {{^ *}}21:{{[0-9]+ .*}}load 128 {{.*}}exact
  s[threadIdx.x + 128] =
      t[mix(threadIdx.x, j) + 128];
// CHECK-DAG: {{^ *}}26:{{[0-9]+ .*}}store 128 {{.*}}exact
// CHECK-DAG: {{^ *}}26:{{[0-9]+ .*}}load 128 {{.*}}exact
}
