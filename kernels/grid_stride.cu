// saxpy with a grid-stride loop over a length that is a multiple of nothing: most warps make 31 steps, some 30, and the last
// request has three lanes.
//
// n = 1,000,003 = 31,250 * 32 + 3; the grid has 128 * 256 = 32,768 threads = 1,024 warps; step k covers elements
// k * 32,768 + thread. Every full request: 32 consecutive words, 4 sectors. The last one: 3 words, 1 sector.
//   Requests with active lanes: 31,251 a site. Sectors: 31,250 * 4 + 1 = 125,001 a site (loads of x and y, store of y).
//   Steps: 30 full ones cover 983,040 elements; the other 16,963 = 530 * 32 + 3 belong to warps 0 .. 530.
// Ideal sectors: 125,001 as well. No shared memory. (No expectation on the lines: the last request differs.)
#include "catalogue.h"

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1000003;
  const int blocks = 128, threads = 256;
  const float a = 0.5f;
  const std::vector<float> x = catalogue::random_values(n, 41), y = catalogue::random_values(n, 42);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = a * x[i] + y[i];

  catalogue::Device<float> d_x(x), d_y(y);
  saxpy<<<blocks, threads>>>(n, a, d_x, d_y);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("saxpy", d_y.download(), expected);
  return catalogue::report("grid_stride", ok);
}
