// Groups of threads of the shipped headers: what they wait for, and what is not followed.
// RUN: %races %s -- --cuda-path=none | FileCheck --match-full-lines %s
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

// Two warps wait for each other, and for no others.
// smem-lint: launch grid=4 block=128
// CHECK:of_tile grid (4,1,1) block (128,1,1): free {{.*}}
__global__ void of_tile(float *o) {
  __shared__ float s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  tile.sync();
  o[threadIdx.x] = s[threadIdx.x ^ 63];
}
// smem-lint: launch grid=4 block=128
// CHECK:across_tiles grid (4,1,1) block (128,1,1): race {{.*}}
__global__ void across_tiles(float *o) {
  __shared__ float s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  tile.sync();
  o[threadIdx.x] = s[127 - threadIdx.x];
}

// As many arrivals as are said.
// smem-lint: launch grid=1 block=128
// CHECK:arrives_often grid (1,1,1) block (128,1,1): free {{.*}}
__global__ void arrives_often(float *o) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier full;
  __shared__ float s[1];
  if (threadIdx.x == 0)
    init(&full, 128);
  __syncthreads();
  if (threadIdx.x == 0) {
    s[0] = 1;
    (void)cuda::device::barrier_arrive_tx(full, 128, 0);
  }
  full.wait_parity(false);
  o[threadIdx.x] = s[0];
}

struct Writes {
  float *to;
  __device__ void operator()() { *to = 1; }
};
// smem-lint: launch grid=1 block=64
// CHECK:completes grid (1,1,1) block (64,1,1): unknown {{.*}}: call of 'cuda::details::completion_function(void const*)', whose body is not in this file is not followed
__global__ void completes(float *o) {
  using barrier = cuda::barrier<cuda::thread_scope_block, Writes>;
  __shared__ barrier full;
  if (threadIdx.x == 0)
    init(&full, 64);
  __syncthreads();
  full.wait(full.arrive());
  o[threadIdx.x] = 1;
}
