#include <cuda_fp16.h>
__global__ void apart(float *out) {
  __shared__ float s[32];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void by_turns(float *out) {
  __shared__ float s[32];
  s[threadIdx.y * 8 + threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void strided(float *out) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) s[i] = 0;
  __syncthreads();
  for (int k = 0; k < 6; ++k)
    atomicAdd(&s[threadIdx.x * (k + 1) * 4 % 1024], 1.0f + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void half_warp(float *out) {
  __shared__ float s[32];
  s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&s[threadIdx.x / 2], 2.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void doubles(double *out) {
  __shared__ double s[64];
  s[threadIdx.x] = 0; s[threadIdx.x + 32] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 2.0);
  __syncthreads();
  atomicAdd(&s[threadIdx.x / 8 * 2], 1.0 + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void halves(__half2 *out) {
  __shared__ __half2 s[64];
  s[threadIdx.x] = __half2(); s[threadIdx.x + 32] = __half2();
  __syncthreads();
  atomicAdd(&s[threadIdx.x * 2 % 64], __half2(1.0f, 2.0f));
  __syncthreads();
  atomicAdd(&s[threadIdx.x / 4], __half2(1.0f, 2.0f));
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void rows(float *out, const float *in, int n) {
  extern __shared__ float sums[];
  for (int i = threadIdx.x; i < n; i += 32) sums[i] = 0;
  __syncwarp();
  for (int r = 0; r < 8; ++r)
    for (int i = threadIdx.x; i < n; i += 32)
      atomicAdd(&sums[i], in[r * n + i]);
  __syncwarp();
  for (int i = threadIdx.x; i < n; i += 32) out[i] = sums[i];
}
__global__ void reduced(int *out) {
  __shared__ int tile[2048];
  const int lane = threadIdx.x;
  tile[__reduce_add_sync(~0u, lane) - 496 + lane] = 1;
  tile[(__reduce_max_sync(~0u, lane) + 1) * lane] = 2;
  tile[(__reduce_min_sync(~0u, lane + 2u)) * lane] = 3;
  __syncthreads();
  out[lane] = tile[lane];
}
int main() {
  float *a; int *b; double *d; __half2 *h;
  cudaMalloc(&a, 1 << 20); cudaMalloc(&b, 1 << 20); cudaMalloc(&d, 1 << 20); cudaMalloc(&h, 1 << 20);
  cudaMemset(a, 0x3f, 1 << 20);
  apart<<<4, 32>>>(a + 4096);
  by_turns<<<4, dim3(8, 4)>>>(a + 4096);
  strided<<<2, 32>>>(a + 4096);
  half_warp<<<2, 32>>>(a + 4096);
  doubles<<<2, 32>>>(d);
  halves<<<2, 32>>>(h);
  rows<<<3, 32, 200 * 4>>>(a + 4096, a, 200);
  reduced<<<1, 32>>>(b);
  return cudaDeviceSynchronize();
}
