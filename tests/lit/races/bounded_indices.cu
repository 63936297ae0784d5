// Indices that are data, but of few values: accesses lie in a part of their array.
// RUN: %races %s | FileCheck %s
#include <cuda_runtime.h>

// CHECK: of_each_warp grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void of_each_warp(int *out, const unsigned char *in) {
  __shared__ int counts[2][256];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x % 32; i < 256; i += 32)
    counts[warp][i] = 0;
  __syncwarp();
  for (int i = threadIdx.x; i < 1024; i += 64)
    atomicAdd(&counts[warp][in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64)
    out[i] = counts[0][i] + counts[1][i];
}

// CHECK: of_each_thread grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void of_each_thread(int *out, const unsigned *in) {
  __shared__ int counts[16 * 64];
  for (int i = 0; i < 16; ++i)
    counts[i * 64 + threadIdx.x] = 0;
  for (int i = threadIdx.x; i < 1024; i += 64)
    counts[(in[i] & 15) * 64 + threadIdx.x] += 1;
  __syncthreads();
  int sum = 0;
  if (threadIdx.x < 16)
    for (int i = 0; i < 64; ++i)
      sum += counts[threadIdx.x * 64 + i];
  out[threadIdx.x] = sum;
}

// CHECK: in_rows grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void in_rows(int *out, const unsigned *in) {
  __shared__ unsigned short counts[64][16];
  for (int i = 0; i < 16; ++i)
    counts[threadIdx.x][i] = 0;
  for (int i = threadIdx.x; i < 1024; i += 64)
    counts[threadIdx.x][in[i] >> 28] += 1;
  out[threadIdx.x] = counts[threadIdx.x][0];
}

// One value more than a row has.
// CHECK: out_of_row grid (1,1,1) block (64,1,1): unknown ({{.*}}): `in[i]` is loaded from memory
__global__ void out_of_row(int *out, const unsigned *in) {
  __shared__ unsigned short counts[65][16];
  for (int i = 0; i < 16; ++i)
    counts[threadIdx.x][i] = 0;
  for (int i = threadIdx.x; i < 1024; i += 64)
    counts[threadIdx.x][in[i] % 17] += 1;
  out[threadIdx.x] = counts[threadIdx.x][0];
}

// All lanes of a warp may count in one place.
// CHECK: not_atomic grid (1,1,1) block (64,1,1): unknown (between warps free, within a warp unknown): `in[i]` is loaded from memory
__global__ void not_atomic(int *out, const unsigned char *in) {
  __shared__ int counts[2][256];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x % 32; i < 256; i += 32)
    counts[warp][i] = 0;
  __syncwarp();
  for (int i = threadIdx.x; i < 1024; i += 64)
    counts[warp][in[i]] += 1;
  __syncthreads();
  out[threadIdx.x] = counts[0][threadIdx.x];
}

int main() {
  int *out;
  unsigned *in;
  unsigned char *bytes;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  cudaMalloc(&bytes, 4096);
  of_each_warp<<<1, 64>>>(out, bytes);
  of_each_thread<<<1, 64>>>(out, in);
  in_rows<<<1, 64>>>(out, in);
  out_of_row<<<1, 64>>>(out, in);
  not_atomic<<<1, 64>>>(out, bytes);
}
