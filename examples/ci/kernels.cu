// The kernel that the workflow guards: a padded transpose, free of conflicts.
#include <cuda_runtime.h>

#ifndef PADDING
#define PADDING 1
#endif

__global__ void transpose(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[32][32 + PADDING];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch(const float *in, float *out) {
  const int rows = 2048, columns = 4096;
  transpose<<<dim3(columns / 32, rows / 32), dim3(32, 8)>>>(in, out, rows, columns);
}
