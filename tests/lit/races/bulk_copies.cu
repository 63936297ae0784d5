// Bulk copies: under way until the phase of an mbarrier is complete, or until their thread has waited for its groups.
// RUN: %races %s -- --cuda-path=none | FileCheck --match-full-lines --strict-whitespace %s
__device__ unsigned at(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void start(unsigned long long *b, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ void expect(unsigned long long *b, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long *b, unsigned parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "AGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra DONE_%=;\n"
               "bra AGAIN_%=;\n"
               "DONE_%=:\n"
               "}" ::"r"(at(b)),
               "r"(parity)
               : "memory");
}
__device__ void load(void *to, const void *from, unsigned bytes, unsigned long long *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
               "l"(from), "r"(bytes), "r"(at(b))
               : "memory");
}
__device__ void store(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <bool Waits, bool Again, unsigned Expected> __device__ void one_buffer(float *o, const float *a) {
  __shared__ alignas(128) float s[256];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0)
    start(&full, 1);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      expect(&full, Expected);
      load(s, a + 256 * i, 1024, &full);
    }
    if (Waits)
      wait(&full, i & 1);
    o[threadIdx.x] += s[threadIdx.x] * s[255 - threadIdx.x];
    if (!Waits)
      wait(&full, i & 1);
    if (Again)
      __syncthreads();
  }
}
// smem-lint: launch grid=4 block=128
__global__ void waits(float *o, const float *a) { one_buffer<true, true, 1024>(o, a); }
// CHECK:waits grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void waits_too_late(float *o, const float *a) { one_buffer<false, true, 1024>(o, a); }
// CHECK:waits_too_late grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:  between warps: line [[#@LINE-14]] read by (32,0,0), line [[#@LINE-36]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 128 of s, interval 1
// CHECK:  between warps: line [[#@LINE-15]] read by (127,0,0), line [[#@LINE-37]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 512 of s, interval 1
// CHECK:  within a warp: line [[#@LINE-38]] write by (0,0,0)'s asynchronous copy, line [[#@LINE-16]] read by (0,0,0) of block (0,0,0), byte 0 of s, interval 1
// CHECK:  within a warp: line [[#@LINE-39]] write by (0,0,0)'s asynchronous copy, line [[#@LINE-17]] read by (0,0,0) of block (0,0,0), byte 1020 of s, interval 1

// The next copy comes while others read.
// smem-lint: launch grid=4 block=128
__global__ void no_barrier(float *o, const float *a) { one_buffer<true, false, 1024>(o, a); }
// CHECK:no_barrier grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:  within a warp: line [[#@LINE-23]] read by (1,0,0), line [[#@LINE-45]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 4 of s, interval 2
// CHECK:  between warps: line [[#@LINE-24]] read by (32,0,0), line [[#@LINE-46]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 128 of s, interval 2
// CHECK:  between warps: line [[#@LINE-25]] read by (127,0,0), line [[#@LINE-47]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 512 of s, interval 2
// CHECK:  within a warp: line [[#@LINE-26]] read by (31,0,0), line [[#@LINE-48]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 896 of s, interval 2

// More bytes are expected than are copied.
// smem-lint: launch grid=4 block=128
__global__ void other_bytes(float *o, const float *a) { one_buffer<true, true, 2048>(o, a); }
// CHECK:other_bytes grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): threads wait for a phase of an mbarrier that is never complete: 1024 bytes that are expected are not copied
// CHECK:  barrier of line [[#@LINE-67]]: threads wait for a phase of an mbarrier that is never complete: 1024 bytes that are expected are not copied

// The last warp copies, the others read; three buffers take turns.
template <bool Early> __device__ void stages(float *o, const float *a) {
  __shared__ alignas(128) float s[3][96];
  __shared__ unsigned long long full[3], empty[3];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 3; ++i) {
      start(&full[i], 1);
      start(&empty[i], 3);
    }
  __syncthreads();
  if (warp == 3) {
    if (lane == 0)
      for (int i = 0; i < 9; ++i) {
        wait(&empty[i % 3], (i / 3 & 1) ^ 1);
        expect(&full[i % 3], 384);
        load(s[i % 3], a + 96 * i, 384, &full[i % 3]);
      }
  } else {
    for (int i = 0; i < 9; ++i) {
      wait(&full[i % 3], i / 3 & 1);
      if (Early) {
        __syncwarp();
        if (lane == 0)
          arrive(&empty[i % 3]);
      }
      o[threadIdx.x] += s[i % 3][95 - threadIdx.x];
      if (!Early) {
        __syncwarp();
        if (lane == 0)
          arrive(&empty[i % 3]);
      }
    }
  }
}
// smem-lint: launch grid=4 block=128
__global__ void three_stages(float *o, const float *a) { stages<false>(o, a); }
// CHECK:three_stages grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// smem-lint: launch grid=4 block=128
__global__ void three_stages_early(float *o, const float *a) { stages<true>(o, a); }
// CHECK:three_stages_early grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-16]] read by (95,0,0), line [[#@LINE-98]] write by (96,0,0)'s asynchronous copy of block (0,0,0), byte 0 of s, interval 5

// Two copies of one thread to one place: nothing orders them.
// smem-lint: launch grid=4 block=32
__global__ void twice(float *o, const float *a) {
  __shared__ alignas(128) float s[128];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    start(&full, 1);
    expect(&full, 768);
    load(s, a, 512, &full);
    load(s + 64, a + 256, 256, &full);
  }
  __syncwarp();
  wait(&full, 0);
  o[threadIdx.x] = s[31 - threadIdx.x];
}
// CHECK:twice grid (4,1,1) block (32,1,1): race (between warps free, within a warp race)
// CHECK:  within a warp: line [[#@LINE-116]] write by (0,0,0)'s asynchronous copy, line [[#@LINE-116]] write by (0,0,0)'s asynchronous copy of block (0,0,0), byte 256 of s, interval 0

template <bool Waits, bool Fences> __device__ void stored(float *o, const float *a) {
  __shared__ alignas(128) float s[2][128];
  for (int i = 0; i < 4; ++i) {
    if (Waits && threadIdx.x == 0)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    s[i % 2][threadIdx.x] = a[i * 128 + threadIdx.x];
    if (Fences)
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
      store(o + i * 128, s[i % 2], 512);
  }
}
// smem-lint: launch grid=4 block=128
__global__ void stores(float *o, const float *a) { stored<true, true>(o, a); }
// CHECK:stores grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=4 block=128
__global__ void stores_without_wait(float *o, const float *a) { stored<false, true>(o, a); }
// CHECK:stores_without_wait grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// CHECK:  within a warp: line [[#@LINE-135]] read by (0,0,0)'s asynchronous copy, line [[#@LINE-15]] write by (1,0,0) of block (0,0,0), byte 4 of s, interval 5 after line [[#@LINE-16]]
// CHECK:  between warps: line [[#@LINE-136]] read by (0,0,0)'s asynchronous copy, line [[#@LINE-16]] write by (32,0,0) of block (0,0,0), byte 128 of s, interval 5 after line [[#@LINE-17]]

// smem-lint: launch grid=4 block=128
__global__ void stores_without_fence(float *o, const float *a) { stored<true, false>(o, a); }
// CHECK:stores_without_fence grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): threads have written without a fence.proxy.async, which a bulk copy may not see: the one at line [[#@LINE-140]]

// What a tensor's copy touches is not in the kernel.
// smem-lint: launch grid=4 block=128
__global__ void tensor(float *o, const void *map) {
  __shared__ alignas(128) float s[256];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0)
    start(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, 1024);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(at(s)),
                 "l"(map), "r"(at(&full)), "r"(0), "r"(0)
                 : "memory");
  }
  wait(&full, 0);
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:tensor grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): the box of a tensor map is not known, which says what the copy touches at line [[#@LINE-6]]

// Nor what other blocks of the cluster copy here.
// smem-lint: launch grid=4 block=128
__global__ void multicast(float *o, const float *a) {
  __shared__ alignas(128) float s[256];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    start(&full, 1);
    expect(&full, 1024);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(s)),
                 "l"(a), "r"(1024), "r"(at(&full)), "h"((short)3)
                 : "memory");
  }
  __syncthreads();
  wait(&full, 0);
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:multicast grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): when shared memory is accessed by cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster is not followed

// The fence before the writes, or of one thread before the barrier, orders nothing of others; of the thread that copies it does after the barrier.
template <int Place> __device__ void fenced(float *o, const float *a) {
  __shared__ alignas(128) float s[128];
  if (Place == 0)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  s[threadIdx.x] = a[threadIdx.x];
  if (Place == 1 && threadIdx.x == 0)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    if (Place == 2)
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    store(o, s, 512);
  }
}
// smem-lint: launch grid=4 block=128
__global__ void fenced_before(float *o, const float *a) { fenced<0>(o, a); }
// CHECK:fenced_before grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): threads have written without a fence.proxy.async, which a bulk copy may not see: the one at line [[#@LINE-196]]
// smem-lint: launch grid=4 block=128
__global__ void fenced_by_one(float *o, const float *a) { fenced<1>(o, a); }
// CHECK:fenced_by_one grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): threads have written without a fence.proxy.async, which a bulk copy may not see: the one at line [[#@LINE-199]]
// smem-lint: launch grid=4 block=128
__global__ void fenced_after(float *o, const float *a) { fenced<2>(o, a); }
// CHECK:fenced_after grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block

// More bytes come than are expected: the phase may be complete after the first copy.
// smem-lint: launch grid=1 block=64
__global__ void more_bytes(float *o, const float *a) {
  __shared__ alignas(128) float s[256];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0)
    start(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, 512);
    load(s, a, 512, &full);
    load(s + 128, a, 512, &full);
  }
  wait(&full, 0);
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:more_bytes grid (1,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown): whether a phase of an mbarrier is ever complete is not known
