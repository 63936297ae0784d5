// Asynchronous copies are under way until their thread has waited for them.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
#include <cuda_pipeline.h>

// smem-lint: launch grid=4 block=128
__global__ void waits(float *o, const float *a) {
  __shared__ float s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:waits grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=4 block=128
__global__ void waits_too_late(float *o, const float *a) {
  __shared__ float s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:waits_too_late grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-3]] read by (63,0,0), line [[#@LINE-7]] write by (64,0,0)'s asynchronous copy of block (0,0,0), byte 256 of s, interval 1 after line [[#@LINE-5]]
// CHECK:  between warps: line [[#@LINE-8]] write by (63,0,0)'s asynchronous copy, line [[#@LINE-4]] read by (64,0,0) of block (0,0,0), byte 252 of s, interval 1 after line [[#@LINE-6]]

// Each thread reads what it has copied itself.
// smem-lint: launch grid=4 block=128
__global__ void own(float *o, const float *a) {
  __shared__ float s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
  __pipeline_commit();
  o[threadIdx.x] = s[threadIdx.x];
  __pipeline_wait_prior(0);
  o[threadIdx.x + 128] = s[threadIdx.x];
}
// CHECK:own grid (4,1,1) block (128,1,1): race (between warps free, within a warp race)
// CHECK:  within a warp: line [[#@LINE-7]] write by (0,0,0)'s asynchronous copy, line [[#@LINE-5]] read by (0,0,0) of block (0,0,0), byte 0 of s, interval 0

// Two stages: while one is read, the next one is filled.
template <int Prior> __device__ void two_stages(float *o, const float *a, bool second_barrier) {
  __shared__ float s[2][128];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &a[t], 4);
  __pipeline_commit();
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    if (i < 7)
      __pipeline_memcpy_async(&s[(i + 1) % 2][t], &a[(i + 1) * 128 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(Prior);
    __syncthreads();
    sum += s[i % 2][127 - t];
    if (second_barrier)
      __syncthreads();
  }
  o[t] = sum;
}
// smem-lint: launch grid=4 block=128
__global__ void staged(float *o, const float *a) { two_stages<1>(o, a, true); }
// CHECK:staged grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
// smem-lint: launch grid=4 block=128
__global__ void staged_one_group_short(float *o, const float *a) { two_stages<2>(o, a, true); }
// CHECK:staged_one_group_short grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:{{  between warps: line [0-9]+ read by \(63,0,0\), line [0-9]+ write by \(64,0,0\)'s asynchronous copy of .*}}
// CHECK:{{  between warps: .*}}
// The next copy to the same place has not waited for this one either.
// CHECK:{{  within a warp: line [0-9]+ write by \(0,0,0\)'s asynchronous copy, line [0-9]+ write by \(0,0,0\)'s asynchronous copy of .*}}
// smem-lint: launch grid=4 block=128
__global__ void staged_without_second_barrier(float *o, const float *a) { two_stages<1>(o, a, false); }
// CHECK:staged_without_second_barrier grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:{{  between warps: .*}}
// CHECK:{{  between warps: .*}}

// How it is said.
// RUN: %lint --fail-on=never --checks='-*,smem-race' %s | FileCheck %s --check-prefix=TEXT
// TEXT-DAG: warning: race: thread (63,0,0) reads s[127 - threadIdx.x], thread (64,0,0)'s asynchronous copy writes it on line 19, with no wait for the copy and __syncthreads() between them [smem-race]
// TEXT-DAG: warning: race: thread (0,0,0) reads s[threadIdx.x], thread (0,0,0)'s asynchronous copy writes it on line 33, with no wait for the copy between them [smem-race]
