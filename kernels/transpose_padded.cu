// The tiled transpose with one word of padding a row: the column read becomes conflict-free.
//
// Block (32, 8), tile rows of 33 words, so word (r, c) lies in bank (r + c) mod 32.
//   tile[ty + j][tx]   bank (ty + j + tx) mod 32: 32 different banks, 1-way
//   tile[tx][ty + j]   bank (tx + ty + j) mod 32: 32 different banks, 1-way
// Cost: 32 words (3.1 %) of shared memory.
//
// Whole launch, 1024 x 2048 floats, grid (64, 32): 65,536 requests a site, 1 wavefront each in shared
// memory, 4 sectors each (262,144 a site) in global memory; actual equals ideal everywhere.
#include "catalogue.h"

constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_padded(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x;
  const int ty = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows)
    out[(ty + j) * rows + tx] = tile[threadIdx.x][threadIdx.y + j];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  constexpr int rows = TRANSPOSE_SIZE_OR(1024), cols = TRANSPOSE_SIZE_OR(2048);
  static_assert(rows % kTile == 0 && cols % kTile == 0, "the kernel has no guards");
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * cols, 3);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) expected[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];

  catalogue::Device<float> d_in(in), d_out(in.size());
  dim3 block, grid;
  block.x = kTile;
  block.y = kBlockRows;
  grid.x = cols / kTile;
  grid.y = rows / kTile;
  transpose_padded<<<grid, block>>>(d_in, d_out, rows, cols);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("transpose", d_out.download(), expected);
  return catalogue::report("transpose_padded", ok);
}
