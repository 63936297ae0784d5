// Reduction in registers: a grid-stride loop, a butterfly of shuffles inside each warp, one word of shared memory a warp,
// and a last butterfly in the first warp. Shared memory is almost out of the picture.
//
//   in[i]               32 consecutive words: 4 sectors
//   warp_sums[warp]     one active lane: 1 word, 1-way
//   warp_sums[lane]     lanes 0..7 of the first warp: 8 words, 1-way
//
// Whole launch, 2^20 elements, 128 blocks of 256 threads (8 warps), 32 elements a thread: global load 32,768 requests,
// 131,072 sectors; warp_sums store 1,024 requests and wavefronts; warp_sums load 128 requests and wavefronts (the other
// warps and lanes are masked off); the block's sum 128 requests, 128 sectors.
#include "catalogue.h"

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void __launch_bounds__(256) reduce_shuffle(const float *__restrict__ in, float *__restrict__ block_sums, int n) {
  __shared__ float warp_sums[8];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];  // expect: global load 4 sectors/request
  sum = warp_sum(sum);
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  if (lane == 0)
    warp_sums[warp] = sum;  // expect: shared store 1-way
  __syncthreads();
  if (warp == 0) {
    sum = 0;
    if (lane < 8) sum = warp_sums[lane];  // expect: shared load 1-way
    sum = warp_sum(sum);
    if (lane == 0) block_sums[blockIdx.x] = sum;  // expect: global store 1 sectors/request
  }
}

int main() {
  const int n = 1 << 20;
  const int blocks = 128, threads = 256;
  const std::vector<float> in = catalogue::random_values(n, 16);
  std::vector<float> expected(blocks, 0.0f);
  for (int i = 0; i < n; ++i) expected[i / threads % blocks] += in[i];

  catalogue::Device<float> d_in(in), d_sums(blocks);
  reduce_shuffle<<<blocks, threads>>>(d_in, d_sums, n);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("block sums", d_sums.download(), expected);
  return catalogue::report("reduction_shuffle", ok);
}
