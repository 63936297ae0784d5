// Tree reduction with sequential addressing: thread t < s adds word t + s to word t, s = 128, 64, ..., 1. The active
// lanes always form consecutive words: no conflicts and no half-used warps until fewer than 32 threads are left.
//
// Each thread first adds two elements from global memory, half a segment apart.
//   smem[t], smem[t + s]: consecutive words: 1-way
//   Requests with active lanes a block: 4, 2, 1 warps for s = 128, 64, 32, then one warp for s = 16, 8, 4, 2, 1:
//   12 for each of the two loads and the store; 12 wavefronts each, all ideal.
//
// Whole launch, 2^20 elements, 512 a segment, 2,048 blocks of 256 threads (8 warps): each of the two global loads
// 16,384 requests, 65,536 sectors; smem initial store 16,384 requests; tree 24,576 requests a site; the block's sum
// 2,048 requests of one lane, 1 wavefront, 1 sector.
#include "catalogue.h"

template <int THREADS>
__global__ void reduce_sequential(const float *in, float *block_sums) {
  __shared__ float smem[THREADS];
  const int t = threadIdx.x;
  const int i = blockIdx.x * (2 * THREADS) + t;
  smem[t] = in[i] + in[i + THREADS];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  for (int s = THREADS / 2; s > 0; s >>= 1) {
    if (t < s)
      smem[t] += smem[t + s];  // expect: shared load 1-way; shared store 1-way
    __syncthreads();
  }
  if (t == 0)
    block_sums[blockIdx.x] = smem[0];  // expect: shared load 1-way; global store 1 sectors/request
}

int main() {
  constexpr int threads = 256;
  const int n = 1 << 20;
  const int blocks = catalogue::ceil_div(n, 2 * threads);
  const std::vector<float> in = catalogue::random_values(n, 15);
  std::vector<float> expected(blocks, 0.0f);
  for (int i = 0; i < n; ++i) expected[i / (2 * threads)] += in[i];

  catalogue::Device<float> d_in(in), d_sums(blocks);
  reduce_sequential<threads><<<blocks, threads>>>(d_in, d_sums);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("block sums", d_sums.download(), expected);
  return catalogue::report("reduction_sequential", ok);
}
