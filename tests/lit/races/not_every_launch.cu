// Kernels that race, or whose barriers not all threads reach, in some launch: none is free.
// RUN: %races %s | FileCheck %s
// CHECK-NOT: : free
#include <cstdint>
#include <cstdlib>
#include <cuda_pipeline.h>

// A second exit: the write is made in later iterations, too.
// CHECK:two_exits grid {{.*}}: {{race|unknown}}
__global__ void two_exits(int *p, int n) {
  __shared__ int s[128];
  for (int i = 0; i < n; ++i) {
    if (p[i] < 0)
      break;
    s[(threadIdx.x + i) % 128] = i;
  }
}

// In the last iteration the only group is not waited for.
// CHECK:last_copy grid {{.*}}: {{race|unknown}}
__global__ void last_copy(const int *in, int *o, int n) {
  __shared__ int s[2][128];
  const int t = threadIdx.x;
  int a = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int i = 0; i < n; ++i) {
    if (i + 1 < n) {
      __pipeline_memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 128 + t], 4);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    a += s[i & 1][127 - t];
    __syncthreads();
  }
  o[t] = a;
}

// A lane ends in one iteration of many, and changes what the others vote.
// CHECK:lane_ends grid {{.*}}: {{race|unknown}}
__global__ void lane_ends(int n) {
  __shared__ int s[64];
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    const int others = __popc(__ballot_sync(~0u, 1));
    if (threadIdx.x == 0)
      s[others] = i;
    if (threadIdx.x == 1)
      s[31] = 7;
    __syncthreads();
    if (i == 1000 && threadIdx.x == 5)
      asm volatile("exit;");
  }
}

__device__ __forceinline__ void barrier() { __syncthreads(); }

// One warp is a round late.
// CHECK:round_late grid {{.*}}: {{race|unknown}}
__global__ void round_late(int *o, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int a = 0;
  if (t < 32) {
    barrier();
    barrier();
  }
  for (int i = 0; i < n; ++i) {
    barrier();
    ++a;
    barrier();
    if (i > 5) {
      if (t == 0)
        s[0] = i;
      if (t == 32)
        a += s[0];
    }
  }
  if (t >= 32) {
    barrier();
    barrier();
  }
  o[t] = a;
}

// Arithmetic wraps around: the barrier is left out for some n.
// CHECK:cut_to_byte grid {{.*}}: {{race|unknown}}
__global__ void cut_to_byte(int *o, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (static_cast<unsigned char>(n) == n)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK:shifted_out grid {{.*}}: {{race|unknown}}
__global__ void shifted_out(int *o, unsigned n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (((n * 4u) >> 2) == n)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK:widened grid {{.*}}: {{race|unknown}}
__global__ void widened(int *o, unsigned n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (static_cast<std::uint64_t>(n + 1u) - static_cast<std::uint64_t>(n) == 1)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK:byte_counter grid {{.*}}: {{race|unknown}}
__global__ void byte_counter(int *o, int n) {
  __shared__ int s[64];
  int a = 0;
  unsigned char c = 0;
  for (int i = 0; i < n; ++i) {
    const unsigned char next = c + 1;
    s[threadIdx.x] = i;
    if (next - c == 1)
      __syncthreads();
    a += s[63 - threadIdx.x];
    __syncthreads();
    c = next;
  }
  o[threadIdx.x] = a;
}

// A pointer that may be null.
// CHECK:null_pointer grid {{.*}}: {{race|unknown}}
__global__ void null_pointer(int *o, const int *p) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (p)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// Each warp waits at a barrier of its own.
// CHECK:numbered grid {{.*}}: {{race|unknown}}
__global__ void numbered(int *o) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  asm volatile("bar.sync %0;" ::"r"(threadIdx.x / 32));
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// What a clock says is not a function of what is added to it.
// CHECK:clock_read grid {{.*}}: {{race|unknown}}
__global__ void clock_read(int *o, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  unsigned first, second;
  asm volatile("{ .reg .u32 c; mov.u32 c, %%clock; add.u32 %0, c, %1; }" : "=r"(first) : "r"(n));
  asm volatile("{ .reg .u32 c; mov.u32 c, %%clock; add.u32 %0, c, %1; }" : "=r"(second) : "r"(n));
  if (first == second)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

int main(int argc, char **argv) {
  int *p;
  cudaMalloc(&p, 1 << 20);
  const int n = atoi(argv[1]);
  two_exits<<<1, 128>>>(p, n);
  last_copy<<<1, 128>>>(p, p, n);
  lane_ends<<<1, 32>>>(n);
  round_late<<<1, 64>>>(p, n);
  cut_to_byte<<<1, 64>>>(p, n);
  shifted_out<<<1, 64>>>(p, n);
  widened<<<1, 64>>>(p, n);
  byte_counter<<<1, 64>>>(p, n);
  null_pointer<<<1, 64>>>(p, n ? p : nullptr);
  numbered<<<1, 64>>>(p);
  clock_read<<<1, 64>>>(p, n);
}
