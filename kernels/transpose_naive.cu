// Matrix transpose straight through global memory: one of the two sides is strided.
//
// Block (32, 8): a warp is one row of the block, so threadIdx.y is uniform in a warp and
// threadIdx.x is the lane.
//
//   transpose_strided_store   in[y * cols + x]   32 consecutive floats: 128 bytes, 4 sectors, 1 tag
//                             out[x * rows + y]  lanes are rows * 4 = 4096 bytes apart: 32 sectors, 32 tags
//   transpose_strided_load    the same with the roles of load and store exchanged: lanes of the load are
//                             cols * 4 = 8192 bytes apart
//
// Whole launch, rows = 1024, cols = 2048, each kernel: 1024 * 2048 / 32 = 65,536 requests a site;
// coalesced side 65,536 * 4 = 262,144 sectors, strided side 65,536 * 32 = 2,097,152 sectors
// (ideal 262,144 on both sides). No shared memory.
#include "catalogue.h"

__global__ void transpose_strided_store(const float *in, float *out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) {
    const float value = in[y * cols + x];  // expect: global load 4 sectors/request
    out[x * rows + y] = value;             // expect: global store 32 sectors/request
  }
}

__global__ void transpose_strided_load(const float *in, float *out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;  // column of out
  const int y = blockIdx.y * blockDim.y + threadIdx.y;  // row of out
  if (x < rows && y < cols) {
    const float value = in[x * cols + y];  // expect: global load 32 sectors/request
    out[y * rows + x] = value;             // expect: global store 4 sectors/request
  }
}

int main() {
  const int rows = TRANSPOSE_SIZE_OR(1024), cols = TRANSPOSE_SIZE_OR(2048);
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * cols, 1);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) expected[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];

  catalogue::Device<float> d_in(in), d_out(in.size());
  const dim3 block(32, 8);

  const dim3 grid_store(catalogue::ceil_div(cols, 32), catalogue::ceil_div(rows, 8));
  transpose_strided_store<<<grid_store, block>>>(d_in, d_out, rows, cols);
  CHECK_LAUNCH();
  bool ok = catalogue::compare("strided store", d_out.download(), expected);

  d_out.clear();
  const dim3 grid_load(catalogue::ceil_div(rows, 32), catalogue::ceil_div(cols, 8));
  transpose_strided_load<<<grid_load, block>>>(d_in, d_out, rows, cols);
  CHECK_LAUNCH();
  ok = catalogue::compare("strided load", d_out.download(), expected) && ok;
  return catalogue::report("transpose_naive", ok);
}
