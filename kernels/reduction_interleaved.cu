// Tree reduction with interleaved partners, in the two forms every course starts with. Both need log2(1024) = 10 steps
// at distances s = 1, 2, 4, ..., 512 over 1,024 words.
//
// reduce_modulo: thread t works when t is a multiple of 2 s. The active lanes of a warp stay inside 32 consecutive words:
//   never a conflict, but every warp runs every step with ever fewer lanes (divergence).
//   Requests with active lanes a block: s = 1..16 leave active lanes in all 32 warps (5 * 32), then 16, 8, 4, 2, 1:
//   191 for each of the two loads and the store; 191 wavefronts each.
//
// reduce_strided: threads 0 .. 512/s - 1 work, thread t on words 2 s t and 2 s t + s. Full warps, but lanes are 2 s words
//   apart:
//     s            1    2    4    8    16   32   64  128  256  512
//     threads    512  256  128   64    32   16    8    4    2    1
//     warps       16    8    4    2     1    1    1    1    1    1
//     degree       2    4    8   16    32   16    8    4    2    1
//     wavefronts  32   32   32   32    32   16    8    4    2    1   = 191 for each of the two loads and the store
//   Requests 36 each, ideal wavefronts 36. The degree of the line is 32-way (s = 16).
//
// Whole launch, 2^20 elements, 1,024 blocks: global load 32,768 requests, 131,072 sectors; final read of smem[0] and the
// store of the block's sum: 1,024 requests, 1 wavefront, 1 sector. Tree: 1,024 times the figures above.
#include "catalogue.h"

constexpr int kThreads = 1024;

__global__ void reduce_modulo(const float *in, float *block_sums) {
  __shared__ float smem[kThreads];
  const unsigned t = threadIdx.x;
  smem[t] = in[blockIdx.x * blockDim.x + t];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      smem[t] += smem[t + s];  // expect: shared load 1-way; shared store 1-way
    __syncthreads();
  }
  if (t == 0)
    block_sums[blockIdx.x] = smem[0];  // expect: shared load 1-way; global store 1 sectors/request
}

__global__ void reduce_strided(const float *in, float *block_sums) {
  __shared__ float smem[kThreads];
  const unsigned t = threadIdx.x;
  smem[t] = in[blockIdx.x * blockDim.x + t];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * t;
    if (index < blockDim.x)
      smem[index] += smem[index + s];  // expect: shared load 32-way; shared store 32-way
    __syncthreads();
  }
  if (t == 0)
    block_sums[blockIdx.x] = smem[0];  // expect: shared load 1-way; global store 1 sectors/request
}

int main() {
  const int n = 1 << 20;
  const int blocks = n / kThreads;
  const std::vector<float> in = catalogue::random_values(n, 14);
  std::vector<float> expected(blocks, 0.0f);
  for (int i = 0; i < n; ++i) expected[i / kThreads] += in[i];  // exact: multiples of 1/16 below 2^11

  catalogue::Device<float> d_in(in), d_sums(blocks);
  reduce_modulo<<<blocks, kThreads>>>(d_in, d_sums);
  CHECK_LAUNCH();
  bool ok = catalogue::compare("reduce_modulo", d_sums.download(), expected);

  d_sums.clear();
  reduce_strided<<<blocks, kThreads>>>(d_in, d_sums);
  CHECK_LAUNCH();
  ok = catalogue::compare("reduce_strided", d_sums.download(), expected) && ok;
  return catalogue::report("reduction_interleaved", ok);
}
