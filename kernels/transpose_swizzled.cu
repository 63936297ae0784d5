// The tiled transpose with an XOR swizzle instead of padding: conflict-free without a wasted word.
//
// Element (r, c) of the tile is kept at column c ^ r. Rows have 32 words, so its bank is c ^ r.
//   store, row r = ty + j uniform, c = tx:     banks tx ^ r, a permutation of 0..31: 1-way
//   load, row r = tx, c = ty + j uniform:      banks (ty + j) ^ tx, a permutation again: 1-way
//
// Whole launch, 1024 x 2048 floats, grid (64, 32), 8 warps, 4 steps: 65,536 requests a site, 1 wavefront
// each in shared memory, 4 sectors each (262,144 a site) in global memory; actual equals ideal everywhere.
#include "catalogue.h"

constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__device__ __forceinline__ int swizzle(int row, int column) { return row * kTile + (column ^ row); }

__global__ void transpose_swizzled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[kTile * kTile];
  const int lane = threadIdx.x;
  const int first = threadIdx.y;
  const int in_x = blockIdx.x * kTile, in_y = blockIdx.y * kTile;
  for (int r = first; r < kTile; r += kBlockRows)
    tile[swizzle(r, lane)] = in[(in_y + r) * cols + in_x + lane];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  for (int r = first; r < kTile; r += kBlockRows)
    out[(in_x + r) * rows + in_y + lane] = tile[swizzle(lane, r)];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  const int rows = TRANSPOSE_SIZE_OR(1024), cols = TRANSPOSE_SIZE_OR(2048);
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * cols, 4);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) expected[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];

  catalogue::Device<float> d_in(in), d_out(in.size());
  transpose_swizzled<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kBlockRows)>>>(d_in, d_out, rows, cols);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("transpose", d_out.download(), expected);
  return catalogue::report("transpose_swizzled", ok);
}
