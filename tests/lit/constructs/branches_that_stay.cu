// What nvcc makes selects of, and what it leaves in a block of its own, which keeps the stores around it from being merged. Machine code of 121 functions and operations read (nvcc 13.0).
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

#define FOUR(name, type, otherwise)                                                                                                       \
  __global__ void name(type *values, type by) {                                                                                           \
    __shared__ type staged[128];                                                                                                          \
    _Pragma("unroll") for (int i = 0; i < 4; ++i) {                                                                                       \
      const type x = values[threadIdx.x * 4 + i];                                                                                         \
      staged[threadIdx.x * 4 + i] = x > 20 ? x : (type)(otherwise);                                                                       \
    }                                                                                                                                     \
    __syncthreads();                                                                                                                      \
    values[threadIdx.x] = staged[threadIdx.x ^ 5];                                                                                        \
  }

// smem-lint: launch block=32 grid=1
FOUR(product, float, x *by + 1.0f)
// CHECK-LABEL: {{^}}product
// CHECK: store 128 {{ *}}1 {{ *}}4 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(absolute, float, fabsf(x))
// CHECK-LABEL: {{^}}absolute
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(exponential, float, __expf(x))
// CHECK-LABEL: {{^}}exponential
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(larger, float, fmaxf(x, by))
// CHECK-LABEL: {{^}}larger
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(cut, float, __int_as_float((int)x))
// CHECK-LABEL: {{^}}cut
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(smaller, int, min(x, by))
// CHECK-LABEL: {{^}}smaller
// CHECK: store 128 {{ *}}1 {{ *}}4 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(bits, int, __popc(x) + __clz(x))
// CHECK-LABEL: {{^}}bits
// CHECK: store 128 {{ *}}1 {{ *}}4 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(upper, int, __mulhi(x, by))
// CHECK-LABEL: {{^}}upper
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(sevenths, int, x / 7)
// CHECK-LABEL: {{^}}sevenths
// CHECK: store 32 {{ *}}4 {{ *}}16 {{.*}}exact
// smem-lint: launch block=32 grid=1
FOUR(eighths, unsigned, x / 8)
// CHECK-LABEL: {{^}}eighths
// CHECK: store 128 {{ *}}1 {{ *}}4 {{.*}}exact
