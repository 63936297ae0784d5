// Races whatever the grid and the arguments are: loops whose length is not known, and conditions on what all threads of a block share.
// RUN: %races %s | FileCheck --match-full-lines %s
#include <cstdlib>

// A tile of each iteration, with the barrier at its end.
// CHECK:tiles grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void tiles(const float *in, float *out, int n) {
  __shared__ float tile[128];
  float sum = 0;
  for (int k = blockIdx.x; k < n; k += gridDim.x) {
    tile[threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// Without it a warp writes the next tile while others read: from the second iteration on, which nothing says is executed.
// CHECK:tiles_without_barrier grid (8,1,1) block (128,1,1): race {{.*}} under assumed values: {{.*}}
__global__ void tiles_without_barrier(const float *in, float *out, int n) {
  __shared__ float tile[128];
  float sum = 0;
  for (int k = blockIdx.x; k < n; k += gridDim.x) {
    tile[threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += tile[i];
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// Two buffers need one barrier.
// CHECK:two_buffers grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void two_buffers(const float *in, float *out, int n) {
  __shared__ float tile[2][128];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[k & 1][threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[k & 1][127 - threadIdx.x];
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// The buffer that is read is the one of the next iteration, which other warps may have begun.
// CHECK:next_buffer grid (8,1,1) block (128,1,1): race {{.*}} under assumed values: {{.*}}
__global__ void next_buffer(const float *in, float *out, int n) {
  __shared__ float tile[2][128];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[k & 1][threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[(k + 1) & 1][127 - threadIdx.x];
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// CHECK:three_buffers grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void three_buffers(const float *in, float *out, int n) {
  __shared__ float tile[3][128];
  float sum = 0;
  int at = 0;
  for (int k = 0; k < n; ++k) {
    tile[at][threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    sum += tile[at][127 - threadIdx.x];
    at = at == 2 ? 0 : at + 1;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// What repeats for a while and then does not.
// CHECK:changes_late grid (8,1,1) block (128,1,1): race {{.*}} under assumed values: {{.*}}
__global__ void changes_late(const float *in, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  int shift = 0;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x + shift] = in[k * 128 + threadIdx.x];
    sum += tile[threadIdx.x];
    __syncthreads();
    if (k == 100)
      shift = 1;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// The same condition twice: either both barriers are passed or none.
// CHECK:same_condition grid (8,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
__global__ void same_condition(float *out, int n) {
  __shared__ float tile[128];
  if (n > 4)
    tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (n > 4)
    out[threadIdx.x] = tile[127 - threadIdx.x];
  else
    tile[127 - threadIdx.x] = 0;
}

// An iteration that may pass no barrier.
// CHECK:no_barrier grid (8,1,1) block (128,1,1): unknown {{.*}}
__global__ void no_barrier(float *out, int n, int m) {
  __shared__ float tile[128];
  for (int k = 0; k < n; ++k) {
    tile[(threadIdx.x + k) % 128] = k;
    if (k < m)
      __syncthreads();
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// Warps end after different numbers of iterations, so they are not together in any of them.
// CHECK:own_length grid (8,1,1) block (128,1,1): unknown {{.*}}
__global__ void own_length(float *out, int n) {
  __shared__ float tile[128];
  for (int k = threadIdx.x / 32; k < n; ++k) {
    tile[threadIdx.x] = k;
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  float *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  const int n = atoi(argv[1]);
  tiles<<<8, 128>>>(in, out, n);
  tiles_without_barrier<<<8, 128>>>(in, out, n);
  two_buffers<<<8, 128>>>(in, out, n);
  next_buffer<<<8, 128>>>(in, out, n);
  three_buffers<<<8, 128>>>(in, out, n);
  changes_late<<<8, 128>>>(in, out, n);
  same_condition<<<8, 128>>>(out, n);
  no_barrier<<<8, 128>>>(out, n, atoi(argv[2]));
  own_length<<<8, 128>>>(out, n);
}
