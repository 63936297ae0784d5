// A thread or a few lanes for each row of a tile, so that lanes read a column: sums, scans, stencils and products, with little and with
// much work beside the conflict. What removing it gains differs.
#include "../../kernels/catalogue.h"

constexpr int kBlocks = 132 * 16;

// A row a thread: `width` loads of a column each. A macro, so that each kernel has lines of its own.
#define SUM_ROWS(T, tile, rows, width, rounds)                               \
  for (int i = threadIdx.x; i < rows * width; i += rows)                     \
    tile[i / width][i % width] = in[blockIdx.x * rows * width + i];          \
  __syncthreads();                                                           \
  T sum = 0;                                                                 \
  _Pragma("unroll 1") for (int round = 0; round < rounds; ++round)           \
    _Pragma("unroll 1") for (int i = 0; i < width; ++i)                      \
      sum = sum + tile[threadIdx.x][i] * static_cast<T>(round + 1);          \
  out[blockIdx.x * rows + threadIdx.x] = sum

__global__ void rows_32(float *out, const float *in) {
  __shared__ float tile[128][32];
  SUM_ROWS(float, tile, 128, 32, 16);
}
__global__ void rows_32_once(float *out, const float *in) {
  __shared__ float tile[128][32];
  SUM_ROWS(float, tile, 128, 32, 1);
}
__global__ void rows_16(float *out, const float *in) {
  __shared__ float tile[256][16];
  SUM_ROWS(float, tile, 256, 16, 16);
}
__global__ void rows_8(float *out, const float *in) {
  __shared__ float tile[256][8];
  SUM_ROWS(float, tile, 256, 8, 32);
}
__global__ void rows_2(float *out, const float *in) {
  __shared__ float tile[1024][2];
  SUM_ROWS(float, tile, 1024, 2, 64);
}
__global__ void rows_double(double *out, const double *in) {
  __shared__ double tile[128][16];
  SUM_ROWS(double, tile, 128, 16, 16);
}
__global__ void rows_int(int *out, const int *in) {
  __shared__ int tile[128][64];
  SUM_ROWS(int, tile, 128, 64, 8);
}

// One division for each value: the arithmetic is the larger part.
__global__ void divided_rows(float *out, const float *in) {
  __shared__ float tile[128][32];
  for (int i = threadIdx.x; i < 128 * 32; i += 128)
    tile[i / 32][i % 32] = in[blockIdx.x * 128 * 32 + i];
  __syncthreads();
  float sum = 1.5f;
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    float value = tile[threadIdx.x][i] + 2.5f;
#pragma unroll
    for (int j = 0; j < 96; ++j)
      value = value * sum + 0.125f;
    sum = value * 1e-30f + 0.5f;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// Each value waits for the one before: one chain of dependent loads in few warps.
__global__ void chain(int *out, const int *in) {
  __shared__ int next[32][32];
  for (int i = 0; i < 32; ++i)
    next[i][threadIdx.x] = in[i * 32 + threadIdx.x];
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < 64; ++round)
#pragma unroll 1
    for (int i = 0; i < 32; ++i)
      sum = (sum ^ next[threadIdx.x][i]) * 5 + 1;
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Two tiles: one with a conflict, one that has none and is read four times as often.
__global__ void two_tiles(float *out, const float *in) {
  __shared__ float good[32][33], bad[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  good[ty][tx] = in[(blockIdx.x * 32 + ty) * 32 + tx];
  bad[ty][tx] = good[ty][tx] * 2;
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 32; ++i)
      sum += good[tx][i] * static_cast<float>(round);
    sum += bad[tx][(ty + round) & 31];
  }
  out[(blockIdx.x * 32 + ty) * 32 + tx] = sum;
}

// A product of small tiles, the second one transposed.
__global__ void product_16(float *c, const float *a, const float *b) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, n = 1024;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + k + tx];
    bs[ty][tx] = b[(blockIdx.x * 16 + ty) * n + k + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[ty][i] * bs[tx][i];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

__global__ void product_double(double *c, const double *a, const double *b) {
  __shared__ double as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, n = 1024;
  double sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + k + tx];
    bs[ty][tx] = b[(blockIdx.x * 16 + ty) * n + k + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[ty][i] * bs[tx][i];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// The conflict is in a store that happens once for each 32 loads.
__global__ void rare_store(float *out, const float *in) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  tile[tx][ty] = in[(blockIdx.x * 32 + ty) * 32 + tx];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < 16; ++round)
    for (int i = 0; i < 32; ++i)
      sum += tile[i][tx] * static_cast<float>(round + i);
  out[(blockIdx.x * 32 + ty) * 32 + tx] = sum;
}

// A window of columns: the same conflict in five loads.
__global__ void column_window(float *out, const float *in) {
  __shared__ float tile[64][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int y = ty; y < 64; y += 4)
    tile[y][tx] = in[(blockIdx.x * 64 + y) * 64 + tx];
  __syncthreads();
  for (int y = ty + 2; y < 62; y += 4)
    out[(blockIdx.x * 64 + y) * 64 + tx] = tile[tx][y - 2] + tile[tx][y - 1] + tile[tx][y] + tile[tx][y + 1] + tile[tx][y + 2];
}

// Global memory by columns as well: L1 takes longer for that than for the conflict.
__global__ void strided_both(float *out, const float *in) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = ty; j < 32; j += 8)
    tile[j][tx] = in[blockIdx.x * 4096 + tx * 128 + j] + in[blockIdx.x * 4096 + tx * 128 + 32 + j] + in[blockIdx.x * 4096 + tx * 128 + 64 + j];
  __syncthreads();
  for (int j = ty; j < 32; j += 8)
    out[blockIdx.x * 1024 + j * 32 + tx] = tile[tx][j];
}

template <typename T, typename Launch> void run(const char *name, std::size_t read, std::size_t written, Launch launch) {
  const std::vector<T> values = catalogue::random_values<T>(read, 11);
  catalogue::Device<T> in(values), out(written);
  launch(out.get(), in.get());
  CHECK_LAUNCH();
  double sum = 0;
  const std::vector<T> results = out.download();
  for (std::size_t i = 0; i < results.size(); ++i)
    sum += static_cast<double>(results[i]) * static_cast<double>(i % 1021);
  std::printf("checksum %s %.17g\n", name, sum);
}

int main() {
  constexpr std::size_t many = std::size_t{kBlocks} * 8192, n = 1024;
  run<float>("rows_32", many, many, [](float *out, float *in) { rows_32<<<kBlocks, 128>>>(out, in); });
  run<float>("rows_32_once", many, many, [](float *out, float *in) { rows_32_once<<<kBlocks, 128>>>(out, in); });
  run<float>("rows_16", many, many, [](float *out, float *in) { rows_16<<<kBlocks, 256>>>(out, in); });
  run<float>("rows_8", many, many, [](float *out, float *in) { rows_8<<<kBlocks, 256>>>(out, in); });
  run<float>("rows_2", many, many, [](float *out, float *in) { rows_2<<<kBlocks, 1024>>>(out, in); });
  run<double>("rows_double", many, many, [](double *out, double *in) { rows_double<<<kBlocks, 128>>>(out, in); });
  run<int>("rows_int", many, many, [](int *out, int *in) { rows_int<<<kBlocks, 128>>>(out, in); });
  run<float>("divided_rows", many, many, [](float *out, float *in) { divided_rows<<<kBlocks, 128>>>(out, in); });
  run<int>("chain", many, many, [](int *out, int *in) { chain<<<132, 32>>>(out, in); });
  run<float>("two_tiles", many, many, [](float *out, float *in) { two_tiles<<<kBlocks, dim3(32, 32)>>>(out, in); });
  run<float>("product_16", 2 * n * n, n * n, [](float *out, float *in) { product_16<<<dim3(64, 64), dim3(16, 16)>>>(out, in, in + 1024 * 1024); });
  run<double>("product_double", 2 * n * n, n * n, [](double *out, double *in) { product_double<<<dim3(64, 64), dim3(16, 16)>>>(out, in, in + 1024 * 1024); });
  run<float>("rare_store", many, many, [](float *out, float *in) { rare_store<<<kBlocks, dim3(32, 32)>>>(out, in); });
  run<float>("column_window", many, many, [](float *out, float *in) { column_window<<<kBlocks, dim3(64, 4)>>>(out, in); });
  run<float>("strided_both", many, many, [](float *out, float *in) { strided_both<<<kBlocks, dim3(32, 8)>>>(out, in); });
  return 0;
}
