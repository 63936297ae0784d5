// Blocks whose size is no multiple of 32: 48 threads are one full warp and one of 16 lanes. A request of the second warp
// takes a full instruction for half the work, and a two-dimensional block puts the seam inside a row pair.
//
//   stride_two     s[2 t]: full warp 2 words a bank: 2-way; 16 lanes on words 64 .. 94: 16 banks: 1-way
//                  s filled at t and t + 48: consecutive words: 1-way
//   rows_of_16     block (16, 3), s[y][x] with rows of 17 words: the full warp has rows 0 and 1: words 0..15 and 17..32; word 32
//                  meets word 0: 2-way; the second warp has row 2, words 34..49: 1-way. Read back at s[y][15 - x]: the same
//                  words in another order
//   wide           double, s[t]: the full warp two half-warps, the other one half-warp of 16 consecutive doubles: 1-way;
//                  2 wavefronts and 1 wavefront
//   Global memory: block b starts at byte 192 b (floats), a multiple of 32: the full warp 4 sectors, the other 2; doubles 8
//   and 4.
//
// Whole launch of each, 4,096 blocks: a site has 8,192 requests, half of them with 16 lanes.
//   stride_two: load 4,096 * (2 + 1) = 12,288 wavefronts (ideal 8,192); each fill 8,192
//   rows_of_16: store and load 4,096 * (2 + 1) = 12,288 wavefronts each (ideal 8,192)
//   wide: store and load 4,096 * (2 + 1) = 12,288 wavefronts each, ideal
//   global floats 4,096 * (4 + 2) = 24,576 sectors a site, doubles 49,152; all ideal
#include "catalogue.h"

constexpr int kThreads = 48;
constexpr int kBlocks = 4096;

__global__ void stride_two(const float *in, float *out) {
  __shared__ float s[2 * kThreads];
  const int t = threadIdx.x;
  in += blockIdx.x * 2 * kThreads;
  s[t] = in[t];                        // expect: shared store 1-way
  s[t + kThreads] = in[t + kThreads];  // expect: shared store 1-way
  __syncthreads();
  out[blockIdx.x * kThreads + t] = s[2 * t];  // expect: shared load 2-way
}

__global__ void rows_of_16(const float *in, float *out) {
  __shared__ float s[3][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first = blockIdx.x * kThreads + y * 16;
  s[y][x] = in[first + x];  // expect: shared store 2-way
  __syncthreads();
  out[first + x] = s[y][15 - x];  // expect: shared load 2-way
}

__global__ void wide(const double *in, double *out) {
  __shared__ double s[kThreads];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * kThreads + t];  // expect: shared store 1-way
  __syncthreads();
  out[blockIdx.x * kThreads + t] = s[kThreads - 1 - t];  // expect: shared load 1-way
}

int main() {
  const int n = kBlocks * kThreads;
  const std::vector<float> in = catalogue::random_values(2 * n, 44);
  const std::vector<double> in_double(in.begin(), in.begin() + n);
  catalogue::Device<float> d_in(in), d_out(n);
  catalogue::Device<double> d_in_double(in_double), d_out_double(n);
  std::vector<float> expected(n);
  std::vector<double> expected_double(n);

  stride_two<<<kBlocks, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected[i] = in[i / kThreads * 2 * kThreads + 2 * (i % kThreads)];
  bool ok = catalogue::compare("stride_two", d_out.download(), expected);

  const dim3 block(16, 3);
  rows_of_16<<<kBlocks, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected[i] = in[i / 16 * 16 + 15 - i % 16];
  ok = catalogue::compare("rows_of_16", d_out.download(), expected) && ok;

  wide<<<kBlocks, kThreads>>>(d_in_double, d_out_double);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected_double[i] = in_double[i / kThreads * kThreads + kThreads - 1 - i % kThreads];
  ok = catalogue::compare("wide", d_out_double.download(), expected_double) && ok;
  return catalogue::report("half_warp", ok);
}
