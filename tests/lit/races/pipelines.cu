// cuda::pipeline, cuda::memcpy_async, cooperative_groups::memcpy_async: what waits for copies, and what comes before them.
// RUN: %races %s -- --cuda-path=none | FileCheck --match-full-lines --strict-whitespace %s
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

template <bool Waits, typename Size> __device__ void by_barrier(float *o, const float *a, Size bytes) {
  __shared__ alignas(16) float s[128];
  __shared__ barrier b;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&b, block.size());
  block.sync();
  cuda::memcpy_async(block, s, a, bytes, b);
  auto token = b.arrive();
  if (Waits)
    b.wait(static_cast<barrier::arrival_token &&>(token));
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// smem-lint: launch grid=4 block=128
__global__ void elements(float *o, const float *a) { by_barrier<true>(o, a, sizeof(float) * 128); }
// CHECK:elements grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// One bulk copy.
// smem-lint: launch grid=4 block=128
__global__ void aligned(float *o, const float *a) {
  by_barrier<true>(o, a, cuda::aligned_size_t<16>(sizeof(float) * 128));
}
// CHECK:aligned grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void elements_no_wait(float *o, const float *a) { by_barrier<false>(o, a, sizeof(float) * 128); }
// CHECK:elements_no_wait grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-16]] read by (95,0,0), line [[#@LINE-20]] write by (32,0,0)'s asynchronous copy of block (0,0,0), byte 128 of s, interval 1
// CHECK:  between warps: line [[#@LINE-21]] write by (95,0,0)'s asynchronous copy, line [[#@LINE-17]] read by (32,0,0) of block (0,0,0), byte 380 of s, interval 1

template <bool Last> __device__ void by_group(float *o, const float *a) {
  __shared__ float s[2][128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s[0], a, sizeof(float) * 128);
  for (int i = 0; i < 4; ++i) {
    if (i < 3) {
      cg::memcpy_async(block, s[(i + 1) % 2], a + 128 * (i + 1), sizeof(float) * 128);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    o[threadIdx.x] += s[i % 2][127 - threadIdx.x];
    if (Last)
      block.sync();
  }
}
// smem-lint: launch grid=4 block=128
__global__ void group(float *o, const float *a) { by_group<true>(o, a); }
// CHECK:group grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=4 block=128
__global__ void group_not_read(float *o, const float *a) { by_group<false>(o, a); }
// CHECK:group_not_read grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-17]] write by (63,0,0)'s asynchronous copy, line [[#@LINE-12]] read by (64,0,0) of block (0,0,0), byte 252 of s, interval 1 after line [[#@LINE-16]]
// CHECK:  between warps: line [[#@LINE-13]] read by (63,0,0), line [[#@LINE-18]] write by (64,0,0)'s asynchronous copy of block (0,0,0), byte 256 of s, interval 1 after line [[#@LINE-17]]

// Of one thread: groups of its own copies.
// smem-lint: launch grid=4 block=128
__global__ void of_thread(float *o, const float *a) {
  __shared__ float s[2][128];
  const unsigned t = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
  p.producer_acquire();
  cuda::memcpy_async(&s[0][t], a + t, sizeof(float), p);
  p.producer_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) {
      p.producer_acquire();
      cuda::memcpy_async(&s[(i + 1) % 2][t], a + 128 * (i + 1) + t, sizeof(float), p);
      p.producer_commit();
    }
    p.consumer_wait();
    __syncthreads();
    o[t] += s[i % 2][127 - t];
    p.consumer_release();
    __syncthreads();
  }
}
// CHECK:of_thread grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// Of the block: all threads produce and consume.
template <bool Early> __device__ void unified(float *o, const float *a) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float s[2][128];
  auto block = cg::this_thread_block();
  auto p = cuda::make_pipeline(block, &state);
  p.producer_acquire();
  cuda::memcpy_async(block, s[0], a, sizeof(float) * 128, p);
  p.producer_commit();
  for (int i = 1; i < 6; ++i) {
    p.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], a + 128 * i, sizeof(float) * 128, p);
    p.producer_commit();
    p.consumer_wait();
    if (Early)
      p.consumer_release();
    o[threadIdx.x] += s[(i - 1) % 2][127 - threadIdx.x];
    if (!Early)
      p.consumer_release();
  }
  p.consumer_wait();
  o[threadIdx.x] += s[1][127 - threadIdx.x];
  p.consumer_release();
}
// smem-lint: launch grid=4 block=128
__global__ void of_block(float *o, const float *a) { unified<false>(o, a); }
// CHECK:of_block grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void of_block_early(float *o, const float *a) { unified<true>(o, a); }
// CHECK:of_block_early grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-15]] read by (127,0,0), line [[#@LINE-20]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 0 of s, interval 5

// The first warp produces, the second one consumes.
// smem-lint: launch grid=4 block=64
__global__ void producers(float *o, const float *a) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float s[2][32];
  auto block = cg::this_thread_block();
  auto p = cuda::make_pipeline(block, &state, 32);
  const unsigned lane = threadIdx.x % 32;
  for (int i = 0; i < 6; ++i) {
    if (threadIdx.x < 32) {
      p.producer_acquire();
      cuda::memcpy_async(&s[i % 2][lane], a + 32 * i + lane, sizeof(float), p);
      p.producer_commit();
    } else {
      p.consumer_wait();
      o[lane] += s[i % 2][31 - lane];
      p.consumer_release();
    }
  }
}
// CHECK:producers grid (4,1,1) block (64,1,1): free (between warps free, within a warp free)

// How many produce is found in memory.
// smem-lint: launch grid=4 block=64
__global__ void roles(float *o, const float *a) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float s[2][32];
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto p = cuda::make_pipeline(block, &state,
                               produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const unsigned lane = threadIdx.x % 32;
  for (int i = 0; i < 6; ++i) {
    if (produces) {
      p.producer_acquire();
      cuda::memcpy_async(&s[i % 2][lane], a + 32 * i + lane, sizeof(float), p);
      p.producer_commit();
    } else {
      p.consumer_wait();
      o[lane] += s[i % 2][31 - lane];
      p.consumer_release();
    }
  }
}
// CHECK:roles grid (4,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown): `cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer)` is loaded from memory at line [[#@LINE-15]]
