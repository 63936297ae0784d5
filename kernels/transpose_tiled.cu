// Matrix transpose through an unpadded 32 x 32 shared tile: both global sides are coalesced, the price is
// a column read of the tile.
//
// Block (32, 8), tile rows of 32 words, so word (r, c) lies in bank c.
//   tile[ty + j][tx]   lanes in 32 consecutive words: 1-way, 1 wavefront
//   tile[tx][ty + j]   lanes 32 words apart, all in bank ty + j: 32-way, 32 wavefronts
// The four steps j = 0, 8, 16, 24 of a thread are 8 words (or 8 rows) apart: nothing to merge.
//
// Whole launch, 1024 x 2048 floats, grid (64, 32), 8 warps a block, 4 steps:
//   each site 2,048 * 8 * 4 = 65,536 requests
//   shared store 65,536 wavefronts; shared load 2,097,152 wavefronts (ideal 65,536)
//   global load and store 4 sectors a request = 262,144 sectors each, all ideal
#include "catalogue.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose_tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE_DIM][TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < cols && y + j < rows)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < rows && y + j < cols)
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];  // expect: shared load 32-way; global store 4 sectors/request
}

static void launch_transpose(const float *in, float *out, int rows, int cols) {
  const dim3 block(TILE_DIM, BLOCK_ROWS);
  const dim3 grid((cols + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
  transpose_tiled<<<grid, block>>>(in, out, rows, cols);
}

int main() {
  const int rows = TRANSPOSE_SIZE_OR(1024), cols = TRANSPOSE_SIZE_OR(2048);
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * cols, 2);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) expected[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];

  catalogue::Device<float> d_in(in), d_out(in.size());
  launch_transpose(d_in, d_out, rows, cols);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("transpose", d_out.download(), expected);
  return catalogue::report("transpose_tiled", ok);
}
