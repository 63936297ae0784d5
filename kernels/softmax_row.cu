// Softmax of the rows of a matrix, a block a row: the row stays in registers, maximum and sum go through shuffles and
// one word of shared memory a warp.
//
//   row[t + 256 * i]    32 consecutive words: 4 sectors, load and store
//   partial[warp]       one active lane: 1 word, 1-way
//   partial[lane & 7]   8 words, each read by four lanes: 1-way
//   The maximum and the sum have an array each, so no barrier is needed between their uses.
//
// Whole launch, 2,048 rows of 1,024: global load and store 2,048 * 8 * 4 = 65,536 requests, 262,144 sectors each. Each of
// the two reductions: store 16,384 requests and wavefronts, load 16,384 requests and wavefronts.
#include "catalogue.h"

constexpr int kColumns = 1024;
constexpr int kThreads = 256;
constexpr int kPerThread = kColumns / kThreads;
constexpr unsigned kAllLanes = 0xffffffffu;

struct Maximum {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Combine>
__device__ float block_reduce(float value, float *partial, Combine combine) {
  const int lane = threadIdx.x & 31;
  for (int distance = 16; distance > 0; distance >>= 1)
    value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
  if (lane == 0) partial[threadIdx.x >> 5] = value;  // expect: shared store 1-way
  __syncthreads();
  value = partial[lane & 7];  // expect: shared load 1-way
  for (int distance = 4; distance > 0; distance >>= 1)
    value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

__global__ void softmax_row(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float maxima[kThreads / 32];
  __shared__ float sums[kThreads / 32];
  const float *row = in + blockIdx.x * kColumns;
  float value[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i)
    value[i] = row[threadIdx.x + i * kThreads];  // expect: global load 4 sectors/request

  float largest = value[0];
#pragma unroll
  for (int i = 1; i < kPerThread; ++i) largest = fmaxf(largest, value[i]);
  largest = block_reduce(largest, maxima, Maximum());

  float sum = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    value[i] = expf(value[i] - largest);
    sum += value[i];
  }
  sum = block_reduce(sum, sums, Sum());

  const float scale = 1.0f / sum;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i)
    out[blockIdx.x * kColumns + threadIdx.x + i * kThreads] = value[i] * scale;  // expect: global store 4 sectors/request
}

int main() {
  const int rows = 2048;
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * kColumns, 24);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r) {
    const float *row = &in[static_cast<std::size_t>(r) * kColumns];
    double sum = 0;
    for (int c = 0; c < kColumns; ++c) sum += std::exp(static_cast<double>(row[c]));
    for (int c = 0; c < kColumns; ++c)
      expected[static_cast<std::size_t>(r) * kColumns + c] = static_cast<float>(std::exp(static_cast<double>(row[c])) / sum * kColumns);
  }

  catalogue::Device<float> d_in(in), d_out(in.size());
  softmax_row<<<rows, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  std::vector<float> scaled = d_out.download();
  for (float &v : scaled) v *= kColumns;  // around 1, so that the tolerance is a relative one
  const bool ok = catalogue::compare("softmax times row length", scaled, expected, 1e-5);
  return catalogue::report("softmax_row", ok);
}
