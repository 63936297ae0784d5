// Transposes through a tile without padding, whose columns are read: of several types and shapes, alone and beside other work. What removing
// the conflict gains differs: tests/floors/evidence.py compares them with what was measured.
#include "../../kernels/catalogue.h"

// A macro, so that each kernel has lines of its own: what is shared by several kernels `--fix` changes only where it suits all of them.
#define TRANSPOSE(tile, size, rows)                                          \
  const int tx = threadIdx.x, ty = threadIdx.y;                              \
  for (int j = ty; j < size; j += rows)                                      \
    tile[j][tx] = in[(blockIdx.y * size + j) * n + blockIdx.x * size + tx];  \
  __syncthreads();                                                           \
  for (int j = ty; j < size; j += rows)                                      \
    out[(blockIdx.x * size + j) * n + blockIdx.y * size + tx] = tile[tx][j]

__global__ void transpose_float(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  TRANSPOSE(tile, 32, 8);
}

__global__ void transpose_float_tall(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  TRANSPOSE(tile, 32, 32);
}

__global__ void transpose_float_16(float *out, const float *in, int n) {
  __shared__ float tile[16][16];
  TRANSPOSE(tile, 16, 16);
}

__global__ void transpose_double(double *out, const double *in, int n) {
  __shared__ double tile[32][32];
  TRANSPOSE(tile, 32, 8);
}

__global__ void transpose_short(short *out, const short *in, int n) {
  __shared__ short tile[64][64];
  TRANSPOSE(tile, 64, 4);
}

// The exchange goes to and fro: shared memory has much more to do than global memory.
__global__ void transpose_eight_times(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float value = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  for (int round = 0; round < 8; ++round) {
    tile[ty][tx] = value;
    __syncthreads();
    value = tile[tx][ty] + 1.0f;
    __syncthreads();
  }
  out[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = value;
}

// A polynomial of each value before it is exchanged: arithmetic is most of the work.
template <int kTerms> __device__ float polynomial(float x) {
  float sum = x;
#pragma unroll
  for (int i = 0; i < kTerms; ++i)
    sum = sum * x + 0.25f;
  return sum;
}

template <int kTerms> __global__ void transpose_polynomial(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = ty; j < 32; j += 8)
    tile[j][tx] = polynomial<kTerms>(in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + tx]);
  __syncthreads();
  for (int j = ty; j < 32; j += 8)
    out[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + tx] = tile[tx][j];
}

// Only one row of each tile leaves it by its column.
__global__ void first_column(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = ty; j < 32; j += 8)
    tile[j][tx] = in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  float sum = 0;
  for (int j = ty; j < 32; j += 8)
    sum += tile[j][tx];
  if (ty == 0)
    sum += tile[tx][0];
  out[(blockIdx.y * 8 + ty) * n + blockIdx.x * 32 + tx] = sum;
}

// Writes the tile by columns and reads it by rows.
__global__ void transposed_store(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = ty; j < 32; j += 8)
    tile[tx][j] = in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  for (int j = ty; j < 32; j += 8)
    out[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + tx] = tile[j][tx];
}

template <typename T, typename Launch> void run(const char *name, std::size_t count, Launch launch) {
  const std::vector<T> values = catalogue::random_values<T>(count, 7);
  catalogue::Device<T> in(values), out(count);
  launch(out.get(), in.get());
  CHECK_LAUNCH();
  double sum = 0;
  const std::vector<T> results = out.download();
  for (std::size_t i = 0; i < results.size(); ++i)
    sum += static_cast<double>(results[i]) * static_cast<double>(i % 1021);
  std::printf("checksum %s %.17g\n", name, sum);
}

int main() {
  constexpr int n = 4096;
  constexpr std::size_t count = std::size_t{n} * n;
  run<float>("transpose_float", count, [&](float *out, float *in) { transpose_float<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<float>("transpose_float_tall", count, [&](float *out, float *in) { transpose_float_tall<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, n); });
  run<float>("transpose_float_16", count, [&](float *out, float *in) { transpose_float_16<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(out, in, n); });
  run<double>("transpose_double", count, [&](double *out, double *in) { transpose_double<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<short>("transpose_short", count, [&](short *out, short *in) { transpose_short<<<dim3(n / 64, n / 64), dim3(64, 4)>>>(out, in, n); });
  run<float>("transpose_eight_times", count, [&](float *out, float *in) { transpose_eight_times<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, n); });
  run<float>("transpose_polynomial<64>", count, [&](float *out, float *in) { transpose_polynomial<64><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<float>("transpose_polynomial<256>", count, [&](float *out, float *in) { transpose_polynomial<256><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<float>("transpose_polynomial<1024>", count, [&](float *out, float *in) { transpose_polynomial<1024><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<float>("first_column", count, [&](float *out, float *in) { first_column<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  run<float>("transposed_store", count, [&](float *out, float *in) { transposed_store<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, in, n); });
  return 0;
}
