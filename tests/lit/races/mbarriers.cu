// Barriers in shared memory (mbarrier, cuda::barrier): what they order, what they do not, and what never ends.
// RUN: %races %s -- --cuda-path=none | FileCheck --match-full-lines --strict-whitespace %s
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ unsigned at(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void start(unsigned long long *b, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ bool test(unsigned long long *b, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(at(b)), "r"(parity)
               : "memory");
  return done != 0;
}
__device__ void wait(unsigned long long *b, unsigned parity) {
  while (!test(b, parity)) {
  }
}

// smem-lint: launch grid=4 block=128
__global__ void split(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 128);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    s[threadIdx.x] = a[i * 128 + threadIdx.x];
    auto token = b.arrive();
    const float own = a[threadIdx.x]; // meanwhile
    b.wait(static_cast<barrier::arrival_token &&>(token));
    o[threadIdx.x] += own * s[127 - threadIdx.x];
    b.arrive_and_wait();
  }
}
// CHECK:split grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)

// Nothing waits until all have read.
// smem-lint: launch grid=4 block=128
__global__ void split_once(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 128);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    s[threadIdx.x] = a[i * 128 + threadIdx.x];
    b.arrive_and_wait();
    o[threadIdx.x] += s[127 - threadIdx.x];
  }
}
// CHECK:split_once grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-6]] write by (31,0,0), line [[#@LINE-4]] read by (96,0,0) of block (0,0,0), byte 124 of s, interval 2
// CHECK:  between warps: line [[#@LINE-5]] read by (31,0,0), line [[#@LINE-7]] write by (96,0,0) of block (0,0,0), byte 384 of s, interval 2

// smem-lint: launch grid=4 block=128
__global__ void no_wait(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 128);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  (void)b.arrive();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:no_wait grid (4,1,1) block (128,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-3]] read by (95,0,0), line [[#@LINE-5]] write by (32,0,0) of block (0,0,0), byte 128 of s, interval 1
// CHECK:  between warps: line [[#@LINE-6]] write by (95,0,0), line [[#@LINE-4]] read by (32,0,0) of block (0,0,0), byte 380 of s, interval 1

// smem-lint: launch grid=4 block=128
__global__ void one_too_many(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 129);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  b.arrive_and_wait();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:one_too_many grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): threads wait for a phase of an mbarrier that is never complete: 1 of its 129 arrivals do not come
// CHECK:  barrier of line [[#@LINE-4]]: threads wait for a phase of an mbarrier that is never complete: 1 of its 129 arrivals do not come

// smem-lint: launch grid=4 block=128
__global__ void not_initialised_for_all(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 128);
  s[threadIdx.x] = a[threadIdx.x];
  b.arrive_and_wait();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:not_initialised_for_all grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): a thread may come to an mbarrier that is not initialised

// Every row's first thread initialises it, to the same count.
// smem-lint: launch grid=4 block=(16,8)
__global__ void initialised_by_several(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ barrier b;
  const unsigned t = threadIdx.x + 16 * threadIdx.y;
  if (threadIdx.x == 0)
    init(&b, 128);
  __syncthreads();
  s[t] = a[t];
  b.arrive_and_wait();
  o[t] = s[127 - t];
}
// CHECK:initialised_by_several grid (4,1,1) block (16,8,1): free (between warps free, within a warp free)

// The count is an argument that is not known.
// smem-lint: launch grid=4 block=128
__global__ void count_not_known(float *o, const float *a, int n) {
  __shared__ float s[128];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, n);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  b.arrive_and_wait();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:count_not_known grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): the value of argument `n` is not known

// A warp that is done leaves the others alone.
// smem-lint: launch grid=4 block=96
__global__ void drops(float *o, const float *a) {
  __shared__ float s[64];
  __shared__ barrier b;
  if (threadIdx.x == 0)
    init(&b, 96);
  __syncthreads();
  if (threadIdx.x >= 64) {
    b.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 3; ++i) {
    b.arrive_and_wait();
    s[threadIdx.x] = a[threadIdx.x];
    b.arrive_and_wait();
    o[threadIdx.x] += s[63 - threadIdx.x];
  }
}
// CHECK:drops grid (4,1,1) block (96,1,1): free (between warps free, within a warp free)

// One warp fills two buffers in turn, two warps read them. Of each warp one thread arrives, for all that have met.
template <bool Early> __device__ void in_turn(float *o, const float *a) {
  __shared__ float s[2][64];
  __shared__ unsigned long long full[2], empty[2];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) {
      start(&full[i], 32);
      start(&empty[i], 2);
    }
  __syncthreads();
  for (int i = 0; i < 6; ++i) {
    const unsigned stage = i % 2, parity = i / 2 & 1;
    if (warp == 2) {
      wait(&empty[stage], parity ^ 1);
      s[stage][lane] = a[i * 64 + lane];
      s[stage][lane + 32] = a[i * 64 + lane + 32];
      arrive(&full[stage]);
    } else {
      wait(&full[stage], parity);
      if (Early && lane == 0)
        arrive(&empty[stage]);
      o[threadIdx.x] += s[stage][63 - threadIdx.x];
      __syncwarp();
      if (!Early && lane == 0)
        arrive(&empty[stage]);
    }
  }
}
// smem-lint: launch grid=4 block=96
__global__ void buffers(float *o, const float *a) { in_turn<false>(o, a); }
// CHECK:buffers grid (4,1,1) block (96,1,1): free (between warps free, within a warp free)

// They are given back before all have read them.
// smem-lint: launch grid=4 block=96
__global__ void buffers_given_back_early(float *o, const float *a) { in_turn<true>(o, a); }
// CHECK:buffers_given_back_early grid (4,1,1) block (96,1,1): race (between warps race, within a warp unknown): a phase of an mbarrier may be complete before a thread that waits for the one before has seen it
// CHECK:  between warps: line [[#@LINE-15]] read by (63,0,0), line [[#@LINE-22]] write by (64,0,0) of block (0,0,0), byte 0 of s, interval 4
// CHECK:  between warps: line [[#@LINE-16]] read by (31,0,0), line [[#@LINE-22]] write by (64,0,0) of block (0,0,0), byte 128 of s, interval 4

// The parity of the phase before: no thread waits.
// smem-lint: launch grid=4 block=128
__global__ void wrong_parity(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0)
    start(&b, 128);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  arrive(&b);
  wait(&b, 1);
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:wrong_parity grid (4,1,1) block (128,1,1): race (between warps race, within a warp unknown): a phase of an mbarrier may be complete before a thread that waits for the one before has seen it
// CHECK:  between warps: line [[#@LINE-3]] read by (95,0,0), line [[#@LINE-6]] write by (32,0,0) of block (0,0,0), byte 128 of s, interval 1
// CHECK:  between warps: line [[#@LINE-7]] write by (95,0,0), line [[#@LINE-4]] read by (32,0,0) of block (0,0,0), byte 380 of s, interval 2

// A test that is not repeated says nothing.
// smem-lint: launch grid=4 block=128
__global__ void looks_once(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0)
    start(&b, 128);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  arrive(&b);
  if (test(&b, 0))
    o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:looks_once grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp free): result of mbarrier.try_wait.parity.shared::cta.b64 (line [[#@LINE-208]])

// How often it has been repeated decides what is read.
// smem-lint: launch grid=4 block=128
__global__ void counts_tests(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0)
    start(&b, 128);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  arrive(&b);
  unsigned times = 0;
  while (!test(&b, 0))
    ++times;
  o[threadIdx.x] = s[times & 127];
}
// CHECK:counts_tests grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): result of mbarrier.try_wait.parity.shared::cta.b64 (line [[#@LINE-225]])

// An arrival with a thread's copies orders these, and nothing else that the thread has done: its waits are not known to be over.
// smem-lint: launch grid=4 block=128
__global__ void arrives_with_copies(float *o, const float *a) {
  __shared__ float s[64];
  __shared__ unsigned long long full, empty;
  if (threadIdx.x == 0) {
    start(&full, 64);
    start(&empty, 64);
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x >= 64) {
      wait(&empty, i & 1 ^ 1);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[threadIdx.x - 64])),
                   "l"(a + i * 64 + threadIdx.x - 64)
                   : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
    } else {
      wait(&full, i & 1);
      o[threadIdx.x] += s[63 - threadIdx.x];
      arrive(&empty);
    }
  }
}
// CHECK:arrives_with_copies grid (4,1,1) block (128,1,1): unknown (between warps unknown, within a warp unknown): a phase of an mbarrier may be complete before a thread that waits for the one before has seen it

// A second barrier tracks the copies that the first one does, too: who waits for it has waited for them.
// smem-lint: launch grid=1 block=64
__global__ void tracked_twice(float *o, const float *a) {
  __shared__ float s[32];
  __shared__ unsigned long long one, two;
  if (threadIdx.x == 0) {
    start(&one, 32);
    start(&two, 32);
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[threadIdx.x - 32])), "l"(a + threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&one)) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&two)) : "memory");
  } else {
    wait(&two, 0);
    o[threadIdx.x] = s[31 - threadIdx.x];
  }
}
// CHECK:tracked_twice grid (1,1,1) block (64,1,1): free (between warps free, within a warp free)

// Initialised with other numbers by two threads that nothing orders.
// smem-lint: launch grid=1 block=64
__global__ void initialised_twice(float *o) {
  __shared__ unsigned long long one;
  if (threadIdx.x % 32 == 0)
    start(&one, 1 + threadIdx.x / 32);
  __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK:initialised_twice grid (1,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown): an mbarrier is initialised again: whether all threads see that is not followed

// A copy that begins after the arrival at the barrier that is waited for.
// smem-lint: launch grid=1 block=64
__global__ void tracked_later(float *o, const float *a) {
  __shared__ float s[32];
  __shared__ unsigned long long one, two;
  if (threadIdx.x == 0) {
    start(&one, 32);
    start(&two, 32);
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&one)) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[threadIdx.x - 32])), "l"(a + threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&two)) : "memory");
  } else {
    wait(&one, 0);
    o[threadIdx.x] = s[31 - threadIdx.x];
  }
}
// CHECK:tracked_later grid (1,1,1) block (64,1,1): race {{.*}}

// A token has more in it than the phase.
// smem-lint: launch grid=1 block=64
__global__ void looks_at_token(float *o) {
  __shared__ float s[64];
  __shared__ unsigned long long one;
  if (threadIdx.x == 0)
    start(&one, 64);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(&one)) : "memory");
  if (token != 0)
    s[63 - threadIdx.x] = 100;
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:looks_at_token grid (1,1,1) block (64,1,1): unknown (between warps unknown, within a warp unknown): what a thread does with the token of an mbarrier, other than to wait, is not followed

// As the toolkit's headers wait: with a limit that is none, a pause whose length an assertion guards, and another way for memory that is not shared.
__device__ unsigned long long arrive_for_token(unsigned long long *b) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(b)) : "memory");
  return token;
}
__device__ bool test_token(unsigned long long *b, unsigned long long token) {
  if (!__isShared(b))
    return (token & 1) != 0;
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(at(b)), "l"(token)
               : "memory");
  return done != 0;
}
__device__ bool poll(unsigned long long *b, unsigned long long token, long long limit) {
  const long long began = clock64();
  for (int count = 0;;) {
    if (test_token(b, token))
      return true;
    if (count < 16) {
      ++count;
      continue;
    }
    const long long elapsed = clock64() - began;
    if (limit != 0 && limit < elapsed)
      return false;
    if (elapsed / 4 > 1000000)
      __trap();
    __nanosleep(static_cast<unsigned>(elapsed / 4));
  }
}
// smem-lint: launch grid=4 block=128
__global__ void polls(float *o, const float *a) {
  __shared__ float s[128];
  __shared__ unsigned long long b;
  if (threadIdx.x == 0)
    start(&b, 128);
  __syncthreads();
  s[threadIdx.x] = a[threadIdx.x];
  poll(&b, arrive_for_token(&b), 0);
  o[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK:polls grid (4,1,1) block (128,1,1): free (between warps free, within a warp free)
