// A counter that goes four at a time has low bits that are zero. LLVM concludes from them that four loads are one, and nvcc does not everywhere: of a comparison or a mask of high bits it makes
// several (`LDS` on these lines of the machine code, four in each turn of the first three kernels).
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

#define KERNEL(NAME) __global__ void NAME(const float *in, float *out, int n)
#define BEGINS \
  __shared__ float s[512]; \
  const int t = threadIdx.x & 15; \
  float sum = 0; \
  for (int i = threadIdx.x; i < 512; i += 32) \
    s[i] = in[i]; \
  __syncthreads()

// smem-lint: launch block=(32) grid=(2) n=32
KERNEL(by_a_bit) {
  BEGINS;
  for (int k = 0; k < n; ++k)
    sum += s[(k & 4) == 0 ? t : t + 65];
  out[threadIdx.x] = sum;
}
// CHECK: by_a_bit grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32) grid=(2) n=32
KERNEL(in_halves) {
  BEGINS;
  for (int k = 0; k < n; ++k)
    sum += s[k < 16 ? t : t + 65];
  out[threadIdx.x] = sum;
}
// CHECK: in_halves grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32) grid=(2) n=32
KERNEL(by_quarters) {
  BEGINS;
  for (int k = 0; k < n; ++k)
    sum += s[k / 4 * 4 + t];
  out[threadIdx.x] = sum;
}
// CHECK: by_quarters grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32) grid=(2) n=32
KERNEL(each_its_own) {
  BEGINS;
  for (int k = 0; k < n; ++k)
    sum += s[k * 7 + t];
  out[threadIdx.x] = sum;
}
// CHECK: each_its_own grid=
// CHECK: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{ *}}64 {{.*}}exact
