// Reductions over a warp: of what is known they are known, of what memory holds they are not.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void known(int *out) {
  __shared__ int tile[2048];
  const int lane = threadIdx.x;
  tile[__reduce_add_sync(~0u, lane) - 496 + lane] = 1;
  // CHECK: 9:{{.*}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}exact
  tile[(__reduce_max_sync(~0u, lane) + 1) * lane] = 2;
  // CHECK: 11:{{.*}}store 32 {{ *}}1 {{ *}}32 {{ *}}1 {{.*}}exact
  tile[(__reduce_min_sync(~0u, lane + 2u)) * lane] = 3;
  // CHECK: 13:{{.*}}store 32 {{ *}}1 {{ *}}2 {{ *}}1 {{.*}}exact
  tile[(__reduce_or_sync(~0u, lane) + 1) * lane] = 4;
  // CHECK: 15:{{.*}}store 32 {{ *}}1 {{ *}}32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[lane] = tile[lane];
}

// smem-lint: launch block=(32) grid=(1)
__global__ void loaded(const int *in, int *out) {
  const int sum = __reduce_add_sync(~0u, in[threadIdx.x]);
  if (sum < 10) atomicAdd(out, 1);
  // CHECK: 24:{{.*}}atomicAdd(out, 1) {{.*}}unknown
  out[threadIdx.x * sum] = 1;
  // CHECK: 26:{{.*}}store 32 {{.*}}unknown
}
