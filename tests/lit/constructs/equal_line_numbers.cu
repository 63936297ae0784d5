// ptxas begins a row of its line table where the number of the line changes, not where only the file does: what a kernel accesses on line 107 may be attributed to the atomicAdd()
// of an int, whose code is line 107 of device_atomic_functions.hpp in CUDA 13.0, and the other way about. (6 kernels, line tables read.)
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(4)
__global__ void same_number(int *o, const int *p, int *h) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int x = p[i];
  atomicAdd(h + i, 1);
#line 107
  o[i] = x;
#line 14
}
// CHECK-LABEL: {{^}}same_number
// CHECK-DAG: p[i] {{.*}}exact
// CHECK-DAG: atomicAdd(h + i, 1) {{.*}}assumed
// CHECK-DAG: {{^ *}}107:{{.*}} o[i] {{.*}}assumed
// CHECK: assumed: the line table of nvcc's machine code tells lines of one number in different files apart [assumed-header-line]

// That of an unsigned is line 112.
// smem-lint: launch block=(128) grid=(4)
__global__ void other_overload(int *o, const int *p, unsigned *h) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int x = p[i];
  atomicAdd(h + i, 1u);
#line 107
  o[i] = x;
#line 30
}
// CHECK-LABEL: {{^}}other_overload
// CHECK-NOT: {{^ .*}}assumed

// smem-lint: launch block=(128) grid=(4)
__global__ void on_the_line_itself(int *o, const int *p, int *h) {
  int i = blockIdx.x * 128 + threadIdx.x;
#line 107
  atomicAdd(h + i, 1); o[i] = p[i];
#line 40
}
// CHECK-LABEL: {{^}}on_the_line_itself
// CHECK-NOT: {{^ .*}}assumed

__device__ int twice(int x);

// A function of the user's own file that is not a header's, inlined: the file is the same.
// smem-lint: launch block=(128) grid=(4)
__global__ void one_file(int *o, const int *p) {
  int i = blockIdx.x * 128 + threadIdx.x;
  o[i] = twice(p[i]);
}
__device__ int twice(int x) { return x * 2; }
// CHECK-LABEL: {{^}}one_file
// CHECK-NOT: {{^ .*}}assumed

// One that the user has in another file: `doubled` is on line 2 of it.
#include "equal_line_numbers.cuh"
// smem-lint: launch block=(128) grid=(4)
__global__ void another_file(int *o, const int *p, int *q) {
  int i = blockIdx.x * 128 + threadIdx.x;
  q[i] = 3;
  int x = doubled(p[i]);
#line 2
  o[i] = x;
#line 66
}
// CHECK-LABEL: {{^}}another_file
// CHECK-DAG: {{^ *}}2:{{.*}} o[i] {{.*}}assumed
// CHECK-DAG: {{.*}} q[i] {{.*}}exact

// Of std::sqrt() of a float, line 464 of GCC 12's cmath.
#include <cmath>
// smem-lint: launch block=(128) grid=(4)
__global__ void of_the_library(float *o, const float *p) {
  int i = blockIdx.x * 128 + threadIdx.x;
  float x = sqrt(p[i]);
#line 464
  o[i] = x;
#line 80
}
// What is loaded for the call is not the header's.
// CHECK-LABEL: {{^}}of_the_library
// CHECK-DAG: p[i] {{.*}}exact
// CHECK-DAG: {{^ *}}464:{{.*}} o[i] {{.*}}assumed
