// Barriers of some of the warps: what they order, and what they are told wrongly.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %lint-short --format=json --fail-on=never --checks=-*,smem-race %s | FileCheck --check-prefix=JSON %s
#include <cuda_pipeline.h>
__device__ void sync(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ void arrive(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

// JSON: "kernel": "producers",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "uniform",
// JSON-NEXT: "holds": "launch",
// JSON-NEXT: "reason": null,
// JSON-NEXT: "witnesses": []
// JSON: "kernel": "deadlock",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",
// JSON: "line": [[#@LINE-12]],
// JSON: "message": "threads wait at barrier 1 for others that do not come"
// JSON: "kernel": "one_too_many",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",

// The first two warps produce, the others consume.
// smem-lint: launch grid=4 block=128
__global__ void producers(float *o, const float *a) {
  __shared__ float s[64];
  if (threadIdx.x < 64) {
    for (int i = 0; i < 4; ++i) {
      sync(1, 128);
      s[threadIdx.x] = a[i * 64 + threadIdx.x];
      arrive(2, 128);
    }
  } else {
    arrive(1, 128);
    for (int i = 0; i < 4; ++i) {
      sync(2, 128);
      o[i * 64 + threadIdx.x - 64] = s[127 - threadIdx.x];
      if (i < 3)
        arrive(1, 128);
    }
  }
}
// CHECK:producers grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// Nothing tells the producers that the buffer has been read.
// smem-lint: launch grid=4 block=128
__global__ void unasked(float *o, const float *a) {
  __shared__ float s[64];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = a[threadIdx.x];
    sync(2, 128);
    s[threadIdx.x] = a[64 + threadIdx.x];
  } else {
    sync(2, 128);
    o[threadIdx.x - 64] = s[127 - threadIdx.x];
  }
}
// CHECK:unasked grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-7]] write by (63,0,0), line [[#@LINE-4]] read by (64,0,0) of block (0,0,0), byte 252 of s, interval 1

// Two groups of warps, each with a barrier of its own.
// smem-lint: launch grid=4 block=128
__global__ void two_groups(float *o, const float *a) {
  __shared__ float s[128];
  const unsigned group = threadIdx.x / 64;
  s[threadIdx.x] = a[threadIdx.x];
  sync(1 + group, 64);
  o[threadIdx.x] = s[group * 64 + 63 - threadIdx.x % 64];
}
// CHECK:two_groups grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void across_groups(float *o, const float *a) {
  __shared__ float s[128];
  s[threadIdx.x] = a[threadIdx.x];
  sync(1 + threadIdx.x / 64, 64);
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:across_groups grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:{{  between warps: line [0-9]+ write by \(127,0,0\), line [0-9]+ read by \(0,0,0\) of block \(0,0,0\), byte 508 of s, interval 1}}

// smem-lint: launch grid=1 block=64
__global__ void deadlock() {
  if (threadIdx.x < 32) {
    sync(1, 64);
    arrive(2, 64);
  } else {
    sync(2, 64);
    arrive(1, 64);
  }
}
// CHECK:deadlock grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:{{  barrier of line [0-9]+: threads wait at barrier 1 for others that do not come}}

// Which two of the three warps come first is left to chance; the third waits for ever.
// smem-lint: launch grid=1 block=96
__global__ void one_too_many() { sync(1, 64); }
// CHECK:one_too_many grid (1,1,1) block (96,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:{{  barrier of line [0-9]+: threads wait at barrier 1 for others that do not come, in one of the orders that warps may come to it in}}

// In this order none waits for ever, in another one does.
// smem-lint: launch grid=1 block=96
__global__ void third_arrives() {
  if (threadIdx.x < 64)
    sync(1, 64);
  else
    arrive(1, 64);
}
// CHECK:third_arrives grid (1,1,1) block (96,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:{{  barriers not known: warps may come to barrier 1 in another order}}

// smem-lint: launch grid=1 block=64
__global__ void different_numbers() { sync(1, threadIdx.x < 32 ? 96 : 128); }
// CHECK:different_numbers grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:{{  barrier of line [0-9]+: warps give different numbers of threads for barrier 1}}

// An arrival does not wait for copies.
template <bool Late> __device__ void copied(float *o, const float *a) {
  __shared__ float s[32];
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
    __pipeline_commit();
    if (!Late)
      __pipeline_wait_prior(0);
    arrive(1, 64);
    __pipeline_wait_prior(0);
  } else {
    sync(1, 64);
    o[threadIdx.x] = s[63 - threadIdx.x];
  }
}
// smem-lint: launch grid=1 block=64
__global__ void waits_before_arriving(float *o, const float *a) { copied<false>(o, a); }
// CHECK:waits_before_arriving grid (1,1,1) block (64,1,1): free (between warps free, within a warp free)
// smem-lint: launch grid=1 block=64
__global__ void arrives_before_waiting(float *o, const float *a) { copied<true>(o, a); }
// CHECK:arrives_before_waiting grid (1,1,1) block (64,1,1): race (between warps race, within a warp free)
// CHECK:{{  between warps: line [0-9]+ write by \(31,0,0\)'s asynchronous copy, line [0-9]+ read by \(32,0,0\) of block \(0,0,0\), byte 124 of s, interval 1}}

// Which threads come is read from memory, and nothing of shared memory is looked for here.
// smem-lint: launch grid=1 block=64
__global__ void on_data(float *o, const int *in) {
  if (in[threadIdx.x])
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK:on_data grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:{{  barriers not known: `in\[threadIdx.x\]` is loaded from memory at line [0-9]+}}
// JSON: "kernel": "on_data",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "unknown",

// Threads that have ended come to no barrier of a stated number of threads.
// smem-lint: launch grid=1 block=128
__global__ void ended_before(float *o) {
  if (threadIdx.x < 32)
    return;
  sync(1, 128);
  o[threadIdx.x] = 1;
}
// CHECK:ended_before grid (1,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
// JSON: "kernel": "ended_before",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",

// They need not come to those of all threads.
// smem-lint: launch grid=1 block=64
__global__ void returned(float *o) {
  __shared__ float s[64];
  if (threadIdx.x >= 50)
    return;
  s[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = s[49 - threadIdx.x];
}
// CHECK:returned grid (1,1,1) block (64,1,1): free {{.*}}
// JSON: "kernel": "returned",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "excused",

// The others of a warp wait at the barrier for those that wait for them.
// smem-lint: launch grid=1 block=64
__global__ void waits_for_each_other(float *o) {
  if (threadIdx.x % 32 < 16)
    __syncthreads();
  o[threadIdx.x] = __shfl_sync(~0u, o[threadIdx.x], 0);
}
// JSON: "kernel": "waits_for_each_other",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",
