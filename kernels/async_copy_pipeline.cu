// async_copy_pipeline: a block walks over tiles of 256 scalars through a ring of STAGES
// buffers filled by four-byte cp.async. Launched with 2, 3 and 4 stages.
//
//   copies: 32 consecutive floats on both sides: 4 sectors, 1 tag; 1-way, 1 wavefront
//   load buffer[stage][(thread + 1) % 256]: 32 consecutive words but one, which wraps to
//     word 0 of the tile in the last warp: still one word a bank, 1-way, 1 wavefront
//   store of the result: 32 consecutive floats: 4 sectors
//
// Each launch: 512 blocks of 8 warps, 32 tiles a block = 131,072 warp-tiles.
//   copies: 131,072 requests and wavefronts, 524,288 sectors, of which STAGES - 1 tiles
//     (4,096 requests a tile) before the loop and 32 - (STAGES - 1) in it
//   loads: 131,072 requests and wavefronts; stores: 131,072 requests, 524,288 sectors
//
// A widespread form of this loop has a race. It commits a group only in the rounds that
// still copy something and always waits for "all but the last STAGES - 1" groups. In the
// last STAGES - 1 rounds the tile about to be read is itself among those last groups and
// need not have arrived. Here every round commits, if only an empty group.
#include <cuda_pipeline.h>

#include "catalogue.h"

constexpr int TILE = 256;
constexpr int BLOCKS = 512, TILES_PER_BLOCK = 32;
constexpr int COUNT = BLOCKS * TILES_PER_BLOCK * TILE;

template <int STAGES>
__global__ void async_copy_pipeline(const float *input, float *output, int tiles) {
  __shared__ float buffer[STAGES][TILE];

  const int thread = threadIdx.x;
  const float *from = input + blockIdx.x * tiles * TILE + thread;
  float *to = output + blockIdx.x * tiles * TILE + thread;

  for (int stage = 0; stage < STAGES - 1; ++stage) {
    if (stage < tiles) __pipeline_memcpy_async(&buffer[stage][thread], from + stage * TILE, sizeof(float));  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
    __pipeline_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    const int ahead = tile + STAGES - 1;
    if (ahead < tiles)
      __pipeline_memcpy_async(&buffer[ahead % STAGES][thread], from + ahead * TILE, sizeof(float));  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
    __pipeline_commit();
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();

    const float value = buffer[tile % STAGES][(thread + 1) % TILE];  // expect: shared load 1-way
    to[tile * TILE] = value * value + 1.0f;                          // expect: global store 4 sectors/request
    __syncthreads();  // the buffer is free again
  }
}

template <int STAGES>
static bool run(const char *name, const float *input, catalogue::Device<float> &output, const std::vector<float> &expected) {
  output.clear();
  async_copy_pipeline<STAGES><<<BLOCKS, TILE>>>(input, output, TILES_PER_BLOCK);
  CHECK_LAUNCH();
  return catalogue::compare(name, output.download(), expected);
}

int main() {
  const auto in = catalogue::random_values<float>(COUNT, 1);
  catalogue::Device<float> input(in), output(COUNT);

  std::vector<float> expected(COUNT);
  for (int i = 0; i < COUNT; ++i) {
    const float value = in[i / TILE * TILE + (i % TILE + 1) % TILE];
    expected[i] = value * value + 1.0f;
  }
  bool ok = run<2>("async_copy_pipeline<2>", input, output, expected);
  ok &= run<3>("async_copy_pipeline<3>", input, output, expected);
  ok &= run<4>("async_copy_pipeline<4>", input, output, expected);
  return catalogue::report("async_copy_pipeline", ok);
}
