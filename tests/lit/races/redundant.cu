// Barriers without which nothing would race, and those that only seem so.
// RUN: %lint --fail-on=never --checks='-*,smem-redundant-barrier' %s | FileCheck --implicit-check-not=redundant-barrier %s
#define N 256

// smem-lint: launch grid=4 block=256
__global__ void second(float *o, const float *a) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float x = s[N - 1 - threadIdx.x];
  // CHECK: [[#@LINE+1]]:3: note: no two accesses need this barrier: without it no two threads of a block race either [smem-redundant-barrier]
  __syncthreads();
  o[blockIdx.x * N + threadIdx.x] = x;
}

// smem-lint: launch grid=4 block=256
__global__ void both_needed(float *o, const float *a) {
  __shared__ float s[N];
  float x = 0;
  for (int i = 0; i < 4; ++i) {
    s[threadIdx.x] = a[i * N + threadIdx.x];
    __syncthreads();
    x += s[N - 1 - threadIdx.x];
    __syncthreads();
  }
  o[threadIdx.x] = x;
}

// It orders global memory.
// smem-lint: launch grid=4 block=256
__global__ void for_global(float *a) {
  float x = a[blockIdx.x * N + N - 1 - threadIdx.x];
  __syncthreads();
  a[blockIdx.x * N + threadIdx.x] = x;
}

// Other blocks wait for the counter.
// smem-lint: launch grid=4 block=256
__global__ void counted(float *a, unsigned *done) {
  a[blockIdx.x * N + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(done, 1);
}

// smem-lint: launch grid=4 block=256
__global__ void votes(int *o) {
  int any = __syncthreads_or(o[threadIdx.x + 1024]);
  if (threadIdx.x == 0)
    o[blockIdx.x] = any;
}

// One launch of two needs it.
// smem-lint: launch grid=1 block=32
// smem-lint: launch grid=1 block=64
__global__ void for_two_warps(float *o, const float *a) {
  __shared__ float s[N];
  if (threadIdx.x >= 32)
    s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32 && blockDim.x > 32)
    o[threadIdx.x] = s[threadIdx.x + 32];
}

// What another block waits for, and what waits for another block.
// smem-lint: launch grid=4 block=256
__global__ void released(float *a, int *ready) {
  a[blockIdx.x * N + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(ready) : "memory");
}

// smem-lint: launch grid=1 block=256
__global__ void acquired(float *a, volatile int *ready) {
  if (threadIdx.x == 0)
    while (*ready == 0)
      ;
  __syncthreads();
  a[threadIdx.x + N] = a[threadIdx.x];
}

// Of two that order the same, one may go, and not the other one as well.
// smem-lint: launch grid=4 block=256
__global__ void twice(float *o, const float *a) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  // CHECK: [[#@LINE+1]]:3: note: no two accesses need this barrier: without it no two threads of a block race either [smem-redundant-barrier]
  __syncthreads();
  __syncthreads();
  o[blockIdx.x * N + threadIdx.x] = s[N - 1 - threadIdx.x];
}

// One iteration needs no second barrier, and two do: what a launch happens to have is no reason.
// smem-lint: launch grid=4 block=256 n=1
__global__ void one_iteration(float *o, const float *a, int n) {
  __shared__ float s[N];
  float x = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = a[i * N + threadIdx.x];
    __syncthreads();
    x += s[N - 1 - threadIdx.x];
    __syncthreads();
  }
  o[threadIdx.x] = x;
}

// Nor is a barrier that a launch does not come to.
// smem-lint: launch grid=4 block=256 m=0
__global__ void not_executed(float *o, const float *a, int m) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  if (m) {
    __syncthreads();
    o[threadIdx.x] = s[N - 1 - threadIdx.x];
  } else {
    o[threadIdx.x] = s[threadIdx.x];
  }
}

// Its pointers lead to one array, which it orders.
__global__ void smooth(float *o, const float *a) {
  const float x = a[threadIdx.x + 1] + a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = x;
}
void in_place() {
  float *p;
  cudaMalloc(&p, 4 * N + 4);
  smooth<<<1, N>>>(p, p);
}

// A caller may pass one array as both.
// smem-lint: launch grid=1 block=256
__global__ void in_place(const float *in, float *out) {
  __shared__ float s[N];
  s[threadIdx.x] = in[threadIdx.x ^ 33];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Then it would not be __restrict__.
// smem-lint: launch grid=1 block=256
__global__ void in_another(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[N];
  s[threadIdx.x] = in[threadIdx.x ^ 33];
  // CHECK: [[#@LINE+1]]:3: note: no two accesses need this barrier: without it no two threads of a block race either [smem-redundant-barrier]
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
