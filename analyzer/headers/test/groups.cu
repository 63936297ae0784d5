// Cooperative groups, and asynchronous copies in every form.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

__global__ void groups(float *out, const float *in, int *p) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  auto grid = cg::this_grid();
  __shared__ float s[32];
  float v = in[block.thread_rank()];
  for (int i = warp.size() / 2; i > 0; i /= 2) v += warp.shfl_down(v, i);
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = v;
  block.sync();
  out[block.group_index().x] = cg::reduce(half, s[half.thread_rank()], cg::plus<float>());
  p[0] = cg::reduce(warp, p[1], cg::greater<int>()) + cg::inclusive_scan(warp, p[2], cg::plus<int>());
  if (threadIdx.x & 1) {
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(p, (int)active.size());
  }
  out[grid.thread_rank()] = 1;
  cg::sync(block);
}

__global__ void copies(float *out, const float *in, int n) {
  extern __shared__ float s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(float) * n);
  cg::wait(block);
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &in[threadIdx.x * 4], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(float), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(sizeof(float) * n), bar);
  bar.arrive_and_wait();
  auto staged = cuda::make_pipeline(block, &state);
  staged.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof(float) * n, staged);
  staged.producer_commit();
  staged.consumer_wait();
  out[threadIdx.x] = s[threadIdx.x * 3];
  staged.consumer_release();
  count.fetch_add(1, cuda::std::memory_order_relaxed);
}

int main() {
  copies<<<1, 128, 4096>>>(nullptr, nullptr, 3);
  return 0;
}
