// Conditions on data that are the same for all threads of a block: both ways are looked at. Those that threads may find different stay open.
// RUN: %races %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK: of_block grid (4,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void of_block(float *out, const float *in, const int *wanted) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (wanted[blockIdx.x]) {
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// CHECK: length grid (4,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void length(float *out, const float *in, const int *lengths) {
  __shared__ float s[64];
  float sum = 0;
  const int n = lengths[blockIdx.x];
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = in[i * 64 + threadIdx.x];
    __syncthreads();
    sum += s[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Both ways of the condition have to be free.
// CHECK: one_way grid (4,1,1) block (64,1,1): race (between warps race, {{.*}} under assumed values
__global__ void one_way(float *out, const float *in, const int *wanted) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (wanted[blockIdx.x])
    __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK: of_thread grid (4,1,1) block (64,1,1): unknown ({{.*}}): `wanted[threadIdx.x]` is loaded from memory
__global__ void of_thread(float *out, const float *in, const int *wanted) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (wanted[threadIdx.x]) {
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// CHECK: of_warp grid (4,1,1) block (64,1,1): unknown ({{.*}}): `wanted[threadIdx.x / 32]` is loaded from memory
__global__ void of_warp(float *out, const float *in, const int *wanted) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (wanted[threadIdx.x / 32]) {
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// Another block may write it meanwhile.
// CHECK: written_too grid (4,1,1) block (64,1,1): unknown ({{.*}}): `state[0]` is loaded from memory
__global__ void written_too(int *state) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (state[0]) {
    __syncthreads();
    state[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// What one thread has left in shared memory, all read after a barrier.
// CHECK: by_flag grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void by_flag(float *out, const float *in) {
  __shared__ float s[64];
  __shared__ int more;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0)
      more = in[i] > 0;
    __syncthreads();
    if (!more)
      break;
    s[threadIdx.x] = in[threadIdx.x + i];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}

// The flag is written again while others may still read it.
// CHECK: flag_again grid (1,1,1) block (64,1,1): race (between warps race, {{.*}} under assumed values
__global__ void flag_again(float *out, const float *in) {
  __shared__ int more;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0)
      more = in[i] > 0;
    __syncthreads();
    if (!more)
      break;
    out[threadIdx.x] += 1;
  }
}

// CHECK: until_no_change grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void until_no_change(int *out, const int *in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int changed = 1;
  while (__syncthreads_or(changed)) {
    const int next = s[(threadIdx.x + 1) % 64];
    __syncthreads();
    changed = next > s[threadIdx.x];
    if (changed)
      s[threadIdx.x] = next;
  }
  out[threadIdx.x] = s[threadIdx.x];
}

// CHECK: vote_without_barrier grid (1,1,1) block (64,1,1): {{race|unknown}}
__global__ void vote_without_barrier(int *out, const int *in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  int changed = 1;
  while (__syncthreads_or(changed)) {
    const int next = s[(threadIdx.x + 1) % 64];
    changed = next > s[threadIdx.x];
    if (changed)
      s[threadIdx.x] = next;
  }
  out[threadIdx.x] = s[threadIdx.x];
}

// A single thread may change it between two looks.
// CHECK: one_thread grid (1,1,1) block (1,1,1): {{.*}}
__global__ void one_thread(int *out) {
  __shared__ int s[2];
  if (s[0])
    __syncthreads();
  s[0] = 1;
  if (s[0])
    __syncthreads();
  out[0] = s[0];
}

int main() {
  float *out, *in;
  int *numbers, *results;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  cudaMalloc(&numbers, 4096);
  cudaMalloc(&results, 4096);
  of_block<<<4, 64>>>(out, in, numbers);
  length<<<4, 64>>>(out, in, numbers);
  one_way<<<4, 64>>>(out, in, numbers);
  of_thread<<<4, 64>>>(out, in, numbers);
  of_warp<<<4, 64>>>(out, in, numbers);
  written_too<<<4, 64>>>(numbers);
  by_flag<<<1, 64>>>(out, in);
  flag_again<<<1, 64>>>(out, in);
  until_no_change<<<1, 64>>>(results, numbers);
  vote_without_barrier<<<1, 64>>>(results, numbers);
  one_thread<<<1, 1>>>(results);
}
