// A host function that uses what is not declared takes no device function along that has a generic lambda, as shuffles of tiles have.
// RUN: %races %s | FileCheck %s
// RUN: not %lint-short --fail-on=never %s 2>&1 | FileCheck --check-prefix=NOTES --implicit-check-not=shfl_down --implicit-check-not=apply %s
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// NOTES-DAG: host function 'host' is followed in part only
// NOTES-DAG: device function 'broken' is left out of the kernels that call it
void host() { not_declared_t x = 3; }

template <typename T> __device__ T broken(T v) {
  auto twice = [](auto w) { return w + not_declared; };
  return twice(v);
}
template <typename T, typename F> __device__ T apply(T v, F f) { return f(v); }

// CHECK: sums grid (4,1,1) block (64,1,1): free
// smem-lint: launch grid=4 block=64
__global__ void sums(double *o) {
  __shared__ double s[2];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  double v = apply(o[threadIdx.x], [](auto w) { return w + 1; });
  for (int off = tile.size() / 2; off > 0; off /= 2)
    v += tile.shfl_down(v, off);
  if (tile.thread_rank() == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    o[0] = s[0] + s[1];
}
// CHECK: uses_broken {{.*}}: unknown
// smem-lint: launch grid=4 block=64
__global__ void uses_broken(int *o) {
  __shared__ int s[64];
  s[broken(threadIdx.x)] = 1;
  o[threadIdx.x] = s[63 - threadIdx.x];
}
