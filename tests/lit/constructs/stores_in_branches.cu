// A store in a branch that becomes one with the store before it has no line of its own: it counts where the condition is computed. Machine code, CUDA 13.0,
// sm_90: one STG, at `counted`.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(16) n=100
__global__ void limited(int *out, const int *in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = in[i] * 3;
  if (out[i] >= n) // counted
    out[i] = 0;
}
// CHECK: limited
// CHECK-NOT: out[i] {{.*}}store
// CHECK: 10:{{.*}} store 32 {{ *}}32 {{ *}}128 {{.*}}assumed
// CHECK-NOT: store 32
