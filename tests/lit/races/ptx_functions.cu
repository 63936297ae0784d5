// Barriers in shared memory and bulk copies by functions: cuda::ptx, and those of cuda_awbarrier_primitives.h.
// RUN: %races %s -- --cuda-path=none --cuda-gpu-arch=sm_90 | FileCheck --match-full-lines --strict-whitespace %s
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
namespace ptx = cuda::ptx;

// smem-lint: launch grid=4 block=128
__global__ void loads(float *o, const float *a) {
  __shared__ alignas(128) float s[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 128);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    uint64_t token;
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, a + 256 * i, 1024, &full);
      token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 1024);
    } else {
      token = ptx::mbarrier_arrive(&full);
    }
    while (!ptx::mbarrier_try_wait(&full, token)) {
    }
    o[threadIdx.x] += s[threadIdx.x] * s[255 - threadIdx.x];
    __syncthreads();
  }
}
// CHECK:loads grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

template <bool Waits> __device__ void store(float *o, const float *a) {
  __shared__ alignas(128) float s[128];
  for (int i = 0; i < 4; ++i) {
    s[threadIdx.x] = a[i * 128 + threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, o + i * 128, s, 512);
      ptx::cp_async_bulk_commit_group();
      if (Waits)
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
  }
}
// smem-lint: launch grid=4 block=128
__global__ void stores(float *o, const float *a) { store<true>(o, a); }
// CHECK:stores grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=4 block=128
__global__ void stores_without_wait(float *o, const float *a) { store<false>(o, a); }
// CHECK:stores_without_wait grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:  within a warp: line [[#@LINE-15]] read by (0,0,0)'s asynchronous copy, line [[#@LINE-19]] write by (1,0,0) of block (0,0,0), byte 4 of s, interval 2 after line [[#@LINE-10]]
// CHECK:  between warps: line [[#@LINE-16]] read by (0,0,0)'s asynchronous copy, line [[#@LINE-20]] write by (32,0,0) of block (0,0,0), byte 128 of s, interval 2 after line [[#@LINE-11]]

// Each thread's copies are handed over to the barrier.
template <bool Hands> __device__ void primitive(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ __mbarrier_t b;
  if (threadIdx.x == 0)
    __mbarrier_init(&b, 128);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    __pipeline_memcpy_async(&s[threadIdx.x], &a[i * 128 + threadIdx.x], 4);
    if (Hands)
      __pipeline_arrive_on(&b);
    const auto token = __mbarrier_arrive(&b);
    while (!__mbarrier_try_wait(&b, token, 1000)) {
    }
    o[threadIdx.x] += s[127 - threadIdx.x];
    (void)__mbarrier_arrive(&b);
    while (!__mbarrier_test_wait_parity(&b, 1)) {
    }
  }
}
// smem-lint: launch grid=4 block=128
__global__ void primitives(float *o, const float *a) { primitive<true>(o, a); }
// CHECK:primitives grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void primitives_not_handed_over(float *o, const float *a) { primitive<false>(o, a); }
// CHECK:primitives_not_handed_over grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:  between warps: line [[#@LINE-19]] write by (127,0,0)'s asynchronous copy, line [[#@LINE-13]] read by (0,0,0) of block (0,0,0), byte 508 of s, interval 2
// CHECK:  between warps: line [[#@LINE-14]] read by (31,0,0), line [[#@LINE-20]] write by (96,0,0)'s asynchronous copy of block (0,0,0), byte 384 of s, interval 2
// CHECK:  within a warp: line [[#@LINE-21]] write by (32,0,0)'s asynchronous copy, line [[#@LINE-21]] write by (32,0,0)'s asynchronous copy of block (0,0,0), byte 128 of s, interval 3
