// Matrix times vector, row-major, in three mappings.
//
//   matvec_thread_row   a thread a row. a[row * columns + k]: lanes 4,096 bytes apart: 32 sectors, 32 tags.
//                       x[k]: one word for the whole warp: 1 sector.
//   matvec_staged       the same with x staged in shared memory, 256 elements at a time. xs[k]: one word (or, merged, one
//                       16-byte piece) for the whole warp: 1-way. xs[t] = x[...]: consecutive words: 1-way, 4 sectors.
//   matvec_warp_row     a warp a row, lane after lane: 32 consecutive words of a and of x: 4 sectors each; result: one lane,
//                       1 sector.
//
// Whole launch, 4,096 rows, 1,024 columns.
//   thread_row  16 blocks of 8 warps: a 128 * 1,024 = 131,072 requests, 4,194,304 sectors (ideal 524,288); x 131,072 requests
//               and sectors (x has no known alignment beyond 4 bytes, so its words are not merged); y 128 requests, 512 sectors
//   staged      a as before; staging 16 * 8 * 4 = 512 requests, 2,048 sectors, 512 wavefronts
//   warp_row    4,096 rows * 32 steps = 131,072 requests and 524,288 sectors each for a and x; y 4,096 requests and sectors
#include "catalogue.h"

constexpr int kThreads = 256;

__global__ void matvec_thread_row(const float *a, const float *x, float *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) {
    const float value = a[row * columns + k];  // expect: global load 32 sectors/request
    sum += value * x[k];                       // expect: global load 1 sectors/request
  }
  y[row] = sum;  // expect: global store 4 sectors/request
}

__global__ void matvec_staged(const float *a, const float *x, float *y, int rows, int columns) {
  __shared__ float xs[kThreads];
  const int row = blockIdx.x * kThreads + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < columns; first += kThreads) {
    xs[threadIdx.x] = x[first + threadIdx.x];  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();
    for (int k = 0; k < kThreads; ++k) {
      const float value = a[row * columns + first + k];  // expect: global load 32 sectors/request
      sum += value * xs[k];                              // expect: shared load 1-way
    }
    __syncthreads();
  }
  if (row < rows) y[row] = sum;  // expect: global store 4 sectors/request
}

__global__ void matvec_warp_row(const float *a, const float *x, float *y, int rows, int columns) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < columns; k += 32) {
    const float value = a[row * columns + k];  // expect: global load 4 sectors/request
    sum += value * x[k];                       // expect: global load 4 sectors/request
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = sum;  // expect: global store 1 sectors/request
}

int main() {
  const int rows = 4096, columns = 1024;
  const std::vector<float> a = catalogue::random_values(static_cast<std::size_t>(rows) * columns, 29);
  const std::vector<float> x = catalogue::random_values(columns, 30);
  std::vector<float> expected(rows);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int k = 0; k < columns; ++k) sum += static_cast<double>(a[static_cast<std::size_t>(r) * columns + k]) * x[k];
    expected[r] = static_cast<float>(sum);
  }

  catalogue::Device<float> d_a(a), d_x(x), d_y(rows);
  const int blocks = catalogue::ceil_div(rows, kThreads);
  matvec_thread_row<<<blocks, kThreads>>>(d_a, d_x, d_y, rows, columns);
  CHECK_LAUNCH();
  bool ok = catalogue::compare("a thread a row", d_y.download(), expected, 1e-5);

  d_y.clear();
  matvec_staged<<<blocks, kThreads>>>(d_a, d_x, d_y, rows, columns);
  CHECK_LAUNCH();
  ok = catalogue::compare("a thread a row, staged", d_y.download(), expected, 1e-5) && ok;

  d_y.clear();
  const dim3 warps(32, 8);
  matvec_warp_row<<<rows / warps.y, warps>>>(d_a, d_x, d_y, rows, columns);
  CHECK_LAUNCH();
  ok = catalogue::compare("a warp a row", d_y.download(), expected, 1e-5) && ok;
  return catalogue::report("matvec", ok);
}
