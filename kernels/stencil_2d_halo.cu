// Two-dimensional five-point stencil on a 32 x 8 tile with a halo of one element all round, zero outside the image.
//
// The 10 x 34 tile is filled by 256 threads in two rounds over its 340 elements in linear order, so the store goes to
// consecutive words; a warp's elements lie in one or two rows of the image and start at odd places, so the sectors of the
// global load differ from request to request.
//   tile store                      32 (in the last warp 20) consecutive words: 1-way
//   tile[y + 1][x] and the others   y is uniform in a warp, x is the lane: 32 consecutive words, 1-way
//   out                             4 sectors
//
// Whole launch, 1,024 x 1,024, 32 x 128 blocks of 8 warps: 11 of the 16 warp rounds of a block have an element.
//   Tile store: 4,096 * 11 = 45,056 requests and wavefronts.
//   Global load: 64 of these requests lie wholly above or below the image, so 44,992 have active lanes; 3 to 7 sectors
//   each, 284,383 in all (by enumeration).
//   Each of the five loads: 32,768 requests and wavefronts. Result: 32,768 requests, 131,072 sectors.
#include "catalogue.h"

constexpr int kWidth = 32, kHeight = 8, kHalo = 1;
constexpr int kTileWidth = kWidth + 2 * kHalo, kTileHeight = kHeight + 2 * kHalo;

__global__ void stencil_2d(const float *__restrict__ in, float *__restrict__ out, int width, int height) {
  __shared__ float tile[kTileHeight][kTileWidth];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * kWidth - kHalo, top = blockIdx.y * kHeight - kHalo;
  for (int i = ty * kWidth + tx; i < kTileWidth * kTileHeight; i += kWidth * kHeight) {
    const int row = i / kTileWidth, column = i % kTileWidth;
    const int x = left + column, y = top + row;
    float value = 0;
    if (x >= 0 && x < width && y >= 0 && y < height) value = in[y * width + x];
    tile[row][column] = value;  // expect: shared store 1-way
  }
  __syncthreads();
  const float north = tile[ty][tx + 1];       // expect: shared load 1-way
  const float west = tile[ty + 1][tx];        // expect: shared load 1-way
  const float centre = tile[ty + 1][tx + 1];  // expect: shared load 1-way
  const float east = tile[ty + 1][tx + 2];    // expect: shared load 1-way
  const float south = tile[ty + 2][tx + 1];   // expect: shared load 1-way
  const int x = blockIdx.x * kWidth + tx, y = blockIdx.y * kHeight + ty;
  out[y * width + x] = north + west + east + south - 4 * centre;  // expect: global store 4 sectors/request
}

int main() {
  constexpr int width = 1024, height = 1024;
  const std::vector<float> in = catalogue::random_values(width * height, 23);
  std::vector<float> expected(in.size());
  const auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? 0.0f : in[y * width + x]; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected[y * width + x] = at(x, y - 1) + at(x - 1, y) + at(x + 1, y) + at(x, y + 1) - 4 * at(x, y);

  catalogue::Device<float> d_in(in), d_out(in.size());
  const dim3 block(kWidth, kHeight);
  const dim3 grid(width / block.x, height / block.y);
  stencil_2d<<<grid, block>>>(d_in, d_out, width, height);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("stencil", d_out.download(), expected);
  return catalogue::report("stencil_2d_halo", ok);
}
