// Column sums of a matrix: a block stages a 32 x 32 tile and lets each thread of its first warp add up one column.
// The tile is stored transposed so that a thread finds its column in a row.
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void column_sums(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int row = 0; row < rows; row += kTile) {
    tile[x][y] = in[(row + y) * columns + column];
    __syncthreads();
    if (y == 0)
      for (int i = 0; i < kTile; ++i) sum += tile[x][i];
    __syncthreads();
  }
  if (y == 0) out[column] = sum;
}

void launch(const float *in, float *out) {
  const int rows = 4096, columns = 2048;
  column_sums<<<columns / kTile, dim3(kTile, kTile)>>>(in, out, rows, columns);
}
