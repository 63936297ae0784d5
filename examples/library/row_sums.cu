// A kernel as libraries have them: sizes come out of a structure, and what launches it stands elsewhere.
struct Matrix {
  const float *data;
  int rows, columns, pitch;
};

/// One block sums 32 rows; a warp reads 32 columns of one row, and then sums down the tile's columns.
__global__ void row_sums(Matrix m, float *sums) {
  __shared__ float tile[32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * 32;
  float sum = 0;
  for (int column = lane; column < m.columns; column += 32) {
    for (int row = warp; row < 32; row += blockDim.x / 32)
      tile[row][lane] = m.data[(first + row) * m.pitch + column];
    __syncthreads();
    if (warp == 0)
      for (int i = 0; i < 32; ++i)
        sum += tile[lane][i];
    __syncthreads();
  }
  if (warp == 0)
    sums[first + lane] = sum;
}
