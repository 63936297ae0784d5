// async_copy_single_stage: one cp.async of four bytes a thread into a block's buffer, wait,
// use. The smallest complete use of the instruction.
//
//   copy: 32 consecutive floats on both sides: 4 sectors, 1 tag; 1-way, 1 wavefront
//   load buffer[255 - thread]: 32 consecutive words in reverse: 1-way, 1 wavefront
//   store of the result: 32 consecutive floats: 4 sectors
//
// Whole launch: 4,194,304 elements, 16,384 blocks of 8 warps = 131,072 requests at each of
// the three places; 524,288 sectors for the copy and for the store; 131,072 wavefronts for
// the copy and for the load.
//
// The usual example reads back its own element, for which waiting is enough. As soon as a
// thread reads another's, as here, the barrier after the wait is what makes it correct:
// waiting only covers the thread's own copies. And "frees registers" is all that one stage
// brings; nothing overlaps.
#include <cuda_pipeline.h>

#include "catalogue.h"

constexpr int COUNT = 1 << 22;
constexpr int BLOCK = 256;

__global__ void async_copy_single_stage(const float *input, float *output, int count) {
  __shared__ float buffer[BLOCK];

  const int thread = threadIdx.x;
  const int at = blockIdx.x * BLOCK + thread;
  if (at < count) __pipeline_memcpy_async(&buffer[thread], &input[at], sizeof(float));  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  if (at < count) output[at] = buffer[BLOCK - 1 - thread] * 2.0f;  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  static_assert(COUNT % BLOCK == 0, "whole blocks only: the reversed read would see unset elements");
  const auto in = catalogue::random_values<float>(COUNT, 1);
  catalogue::Device<float> input(in), output(COUNT);

  const int blocks = catalogue::ceil_div(COUNT, BLOCK);
  async_copy_single_stage<<<blocks, BLOCK>>>(input, output, COUNT);
  CHECK_LAUNCH();

  std::vector<float> expected(COUNT);
  for (int i = 0; i < COUNT; ++i) expected[i] = 2.0f * in[i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK];
  const bool ok = catalogue::compare("async_copy_single_stage", output.download(), expected);
  return catalogue::report("async_copy_single_stage", ok);
}
