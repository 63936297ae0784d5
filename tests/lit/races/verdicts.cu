// Verdicts on races in shared memory, from the source before it is optimised.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
#define N 256

// smem-lint: launch grid=4 block=256
__global__ void no_barrier(float *o, const float *a) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:no_barrier grid (4,1,1) block (256,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-3]] read by (127,0,0), line [[#@LINE-4]] write by (128,0,0) of block (0,0,0), byte 512 of s, interval 0
// CHECK:  between warps: line [[#@LINE-5]] write by (127,0,0), line [[#@LINE-4]] read by (128,0,0) of block (0,0,0), byte 508 of s, interval 0

// smem-lint: launch grid=4 block=256
__global__ void with_barrier(float *o, const float *a) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:with_barrier grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// The second barrier is missing.
// smem-lint: launch grid=4 block=256
__global__ void back_edge(float *o, const float *a) {
  __shared__ float s[N];
  float x = 0;
  for (int i = 0; i < 16; ++i) {
    s[threadIdx.x] = a[threadIdx.x + i * N];
    __syncthreads();
    x += s[N - 1 - threadIdx.x];
  }
  o[threadIdx.x] = x;
}
// CHECK:back_edge grid (4,1,1) block (256,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-7]] write by (127,0,0), line [[#@LINE-5]] read by (128,0,0) of block (0,0,0), byte 508 of s, interval 1 after line [[#@LINE-6]]
// CHECK:  between warps: line [[#@LINE-6]] read by (127,0,0), line [[#@LINE-8]] write by (128,0,0) of block (0,0,0), byte 512 of s, interval 1 after line [[#@LINE-7]]

// smem-lint: launch grid=4 block=256
__global__ void warp_synchronous(float *o, const float *a) {
  __shared__ float s[N];
  unsigned t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (unsigned k = N / 2; k > 32; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    volatile float *v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK:warp_synchronous grid (4,1,1) block (256,1,1): race (between warps free, within a warp race)
// CHECK:  within a warp: line [[#@LINE-7]] write by (16,0,0), line [[#@LINE-6]] read by (0,0,0) of block (0,0,0), byte 64 of s, interval 3 after line [[#@LINE-11]]
// CHECK:  within a warp: line [[#@LINE-7]] read by (0,0,0), line [[#@LINE-7]] write by (16,0,0) of block (0,0,0), byte 64 of s, interval 3 after line [[#@LINE-12]]

// smem-lint: launch grid=4 block=256
__global__ void warps_in_step(float *o, const float *a) {
  __shared__ float s[N];
  unsigned t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (unsigned k = N / 2; k >= 32; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    for (unsigned k = 16; k > 0; k /= 2) {
      float x = t + k < 32 ? s[t + k] : 0;
      __syncwarp();
      s[t] += x;
      __syncwarp();
    }
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK:warps_in_step grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// Atomics anywhere in the array are no race with each other.
// smem-lint: launch grid=4 block=256
__global__ void histogram(int *o, const unsigned char *a) {
  __shared__ int h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    atomicAdd(&h[a[i * 256 + threadIdx.x]], 1);
  __syncthreads();
  o[threadIdx.x] = h[threadIdx.x];
}
// CHECK:histogram grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// What is loaded decides whether the two meet, and threads are to meet at an atomic: some value makes them.
// smem-lint: launch grid=4 block=256
__global__ void histogram_without_barrier(int *o, const unsigned char *a) {
  __shared__ int h[256];
  h[threadIdx.x] = 0;
  for (int i = 0; i < 8; ++i)
    atomicAdd(&h[a[i * 256 + threadIdx.x]], 1);
  __syncthreads();
  o[threadIdx.x] = h[threadIdx.x];
}
// CHECK:histogram_without_barrier grid (4,1,1) block (256,1,1): race (between warps race, within a warp race) under assumed values: `a` holds 1 everywhere and is not written by another pointer

// The optimiser forwards the store and removes the load.
// smem-lint: launch grid=4 block=64
__global__ void hidden(float *o) {
  __shared__ float s[1];
  s[0] = threadIdx.x;
  o[threadIdx.x] = s[0];
}
// CHECK:hidden grid (4,1,1) block (64,1,1): race (between warps race, within a warp race)
// CHECK:  within a warp: line [[#@LINE-4]] write by (0,0,0), line [[#@LINE-4]] write by (1,0,0) of block (0,0,0), byte 0 of s, interval 0
// CHECK:  between warps: line [[#@LINE-5]] write by (0,0,0), line [[#@LINE-5]] write by (32,0,0) of block (0,0,0), byte 0 of s, interval 0

// A lock orders accesses, and is not followed.
// smem-lint: launch grid=4 block=256
__global__ void lock(int *o) {
  __shared__ int m, c;
  if (threadIdx.x == 0)
    m = c = 0;
  __syncthreads();
  while (atomicCAS(&m, 0, 1) != 0)
    ;
  c += 1;
  __threadfence_block();
  atomicExch(&m, 0);
  __syncthreads();
  o[threadIdx.x] = c;
}
// CHECK:lock grid (4,1,1) block (256,1,1): unknown (between warps unknown, within a warp unknown): `atomicCAS(&m, 0, 1)` is what an atomic returns at line [[#@LINE-8]]

// smem-lint: launch grid=4 block=256
__global__ void divergent(float *o, const float *a) {
  __shared__ float s[N];
  if (threadIdx.x < 100) {
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
  }
  s[threadIdx.x + 0] = 1;
}
// CHECK:divergent grid (4,1,1) block (256,1,1): unknown (between warps unknown, within a warp unknown): a barrier is reached by only some lanes of a warp

// smem-lint: launch grid=4 block=32,8 n=100
__global__ void transpose(float *o, const float *a, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8)
    if (x < n)
      tile[threadIdx.y + j][threadIdx.x] = a[x + (threadIdx.y + j) * n];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    o[x + (threadIdx.y + j) * n] = tile[threadIdx.x][threadIdx.y + j];
}
// CHECK:transpose grid (4,1,1) block (32,8,1): free (between warps free, within a warp free) in every launch with this block

// A read that its guard keeps lanes from is none: `&&` is no reason to read early.
// smem-lint: launch grid=4 block=64
__global__ void short_circuit(float *o) {
  __shared__ int first, ready;
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0)
    first = 1;
  if (threadIdx.x >= 32 && blockIdx.x % 2 == 0)
    ready = 1;
  const int found = threadIdx.x < 32 && ready == 1 ? 1 : 0;
  if (blockIdx.x % 2 == 1 && first == 3)
    o[threadIdx.x] = found;
}
// CHECK:short_circuit grid (4,1,1) block (64,1,1): race (between warps race, within a warp free)
// CHECK:  between warps: line [[#@LINE-5]] read by (0,0,0), line [[#@LINE-6]] write by (32,0,0) of block (0,0,0), byte 0 of ready, interval 0
// CHECK:  one value, within a warp: line [[#@LINE-7]] write by (32,0,0), line [[#@LINE-7]] write by (33,0,0) of block (0,0,0), byte 0 of ready, interval 0
// CHECK:  unwritten: line [[#@LINE-6]] read by (0,0,0) of block (1,0,0), byte 0 of first
