// The padded transpose as a template over the tile and the block height. It shows that "one word of padding"
// is only enough when a row of the block fills whole warps: a narrower block puts several tile rows into one
// warp, and these meet in a bank.
//
// Block (TILE_DIM, BLOCK_ROWS), tile[TILE_DIM][TILE_DIM + 1], pitch p = TILE_DIM + 1 words.
//
//   <32, 8>, <32, 16>, <64, 4>   a warp is (part of) one row. Store: 32 consecutive words. Load: lanes p words
//                                apart, p = 33 or 65 is 1 modulo 32. Both 1-way.
//   <16, 16>  a warp is two rows of 16, p = 17. Store: words 0..15 and 17..32 of a window; word 32 meets word 0:
//             2-way. Load: words 17 x and 17 x + 1; x = 15 gives word 256, which meets word 0: 2-way.
//   <8, 8>    a warp is four rows of 8, p = 9. Store: words 0..7, 9..16, 18..25, 27..34; 32..34 meet 0..2: 2-way.
//             Load: words 9 x + 0..3; x = 7 gives 63..66 and 64..66 meet 0..2: 2-way.
//
// Global memory: rows of 32 or 64 floats give 4 sectors of one line, two rows of 16 give 2 + 2 sectors, four rows
// of 8 give 4 times 1 sector: always 4 sectors a request; 1, 2 and 4 tags.
//
// Whole launch, 512 x 1024 floats: 512 * 1024 / 32 = 16,384 requests a site in every instantiation, 65,536 sectors;
// shared wavefronts 16,384 a site for TILE_DIM 32 and 64, 32,768 a site for 16 and 8.
//
// expect transpose_templated<32, 8>: shared store 1-way; shared load 1-way
// expect transpose_templated<32, 16>: shared store 1-way; shared load 1-way
// expect transpose_templated<64, 4>: shared store 1-way; shared load 1-way
// expect transpose_templated<16, 16>: shared store 2-way; shared load 2-way
// expect transpose_templated<8, 8>: shared store 2-way; shared load 2-way
#include "catalogue.h"

template <int TILE_DIM, int BLOCK_ROWS>
__global__ void transpose_templated(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];  // expect: global load 4 sectors/request
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];  // expect: global store 4 sectors/request
}

template <int TILE_DIM, int BLOCK_ROWS>
static bool run(const char *name, const std::vector<float> &in, const std::vector<float> &expected, int rows, int cols) {
  catalogue::Device<float> d_in(in), d_out(in.size());
  dim3 grid((cols + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
  dim3 block(TILE_DIM, BLOCK_ROWS);
  transpose_templated<TILE_DIM, BLOCK_ROWS><<<grid, block>>>(d_out, d_in, rows, cols);
  CHECK_LAUNCH();
  return catalogue::compare(name, d_out.download(), expected);
}

int main() {
  const int rows = TRANSPOSE_SIZE_OR(512), cols = TRANSPOSE_SIZE_OR(1024);
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * cols, 5);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) expected[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];

  bool ok = run<32, 8>("<32, 8>", in, expected, rows, cols);
  ok = run<32, 16>("<32, 16>", in, expected, rows, cols) && ok;
  ok = run<64, 4>("<64, 4>", in, expected, rows, cols) && ok;
  ok = run<16, 16>("<16, 16>", in, expected, rows, cols) && ok;
  ok = run<8, 8>("<8, 8>", in, expected, rows, cols) && ok;
  return catalogue::report("transpose_templated", ok);
}
