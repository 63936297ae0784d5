// sin() of doubles and its like load coefficients by what their argument is; exp() has them in the code, and sinf() loads none of an argument that needs no reduction.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=32 grid=1
__global__ void waves(double *out, double start) {
  out[threadIdx.x] = sin(start + threadIdx.x)
      + exp(start + threadIdx.x)
      + cos(start + threadIdx.x);
}
// CHECK-LABEL: {{^}}waves
// CHECK: global memory
// CHECK-NEXT: 7:20 {{.*}}store 64 {{ *}}1 {{ *}}8 {{.*}}exact
// CHECK-NEXT: 7:22 sin(start + threadIdx.x) {{ *}}load 128 {{.*}}unknown
// CHECK-NEXT: 9:9 cos(start + threadIdx.x) {{ *}}load 128 {{.*}}unknown
// CHECK: unknown: result of sin() (line 7)

// smem-lint: launch block=32 grid=1
__global__ void of_floats(float *out, float start) {
  out[threadIdx.x] = sinf(start + threadIdx.x);
}
// CHECK-LABEL: {{^}}of_floats
// CHECK-NOT: {{[0-9]+:[0-9]+}} {{.*}} load
