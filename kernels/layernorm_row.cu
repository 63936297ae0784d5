// Layer normalisation, a warp a row: 16-byte accesses, reductions by shuffle, and scale and shift kept in shared memory for
// the eight rows of a block.
//
// A row has 768 floats = 192 float4 = 6 float4 a lane.
//   rows, float4 [lane + 32 * i]     512 consecutive bytes: 16 sectors, 4 tags
//   gamma4, beta4 [lane + 32 * i]    four quarter-warps of 8 lanes, each 32 consecutive words: 1-way, 4 wavefronts (ideal 4)
//   gamma, beta filled word by word  consecutive words: 1-way; 4 sectors
//
// Whole launch, 4,096 rows, 512 blocks of (32, 8): row load and store 4,096 * 6 = 24,576 requests, 393,216 sectors each;
// gamma and beta: fill 512 * 24 = 12,288 requests each (1 wavefront, 4 sectors), read 24,576 requests and 98,304
// wavefronts each.
#include "catalogue.h"

constexpr int kColumns = 768;
constexpr int kVectors = kColumns / 4;
constexpr int kVectorsPerLane = kVectors / 32;
constexpr int kRowsPerBlock = 8;

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance >>= 1) value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void layernorm_row(const float4 *__restrict__ in, const float *__restrict__ gamma, const float *__restrict__ beta,
                              float4 *__restrict__ out, float epsilon) {
  __shared__ float4 gamma4[kVectors];
  __shared__ float4 beta4[kVectors];
  for (int i = threadIdx.y * 32 + threadIdx.x; i < kColumns; i += 32 * kRowsPerBlock) {
    reinterpret_cast<float *>(gamma4)[i] = gamma[i];  // expect: global load 4 sectors/request; shared store 1-way
    reinterpret_cast<float *>(beta4)[i] = beta[i];    // expect: global load 4 sectors/request; shared store 1-way
  }
  __syncthreads();

  const int lane = threadIdx.x;
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.y;
  const float4 *row_in = in + row * kVectors;
  float4 v[kVectorsPerLane];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kVectorsPerLane; ++i) {
    v[i] = row_in[lane + 32 * i];  // expect: global load 16 sectors/request
    sum += v[i].x + v[i].y + v[i].z + v[i].w;
  }
  const float mean = warp_sum(sum) / kColumns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < kVectorsPerLane; ++i) {
    v[i].x -= mean, v[i].y -= mean, v[i].z -= mean, v[i].w -= mean;
    squares += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;
  }
  const float scale = rsqrtf(warp_sum(squares) / kColumns + epsilon);

  float4 *row_out = out + row * kVectors;
#pragma unroll
  for (int i = 0; i < kVectorsPerLane; ++i) {
    const float4 g = gamma4[lane + 32 * i];  // expect: shared load 1-way
    const float4 b = beta4[lane + 32 * i];   // expect: shared load 1-way
    const float4 result = make_float4(v[i].x * scale * g.x + b.x, v[i].y * scale * g.y + b.y, v[i].z * scale * g.z + b.z,
                                      v[i].w * scale * g.w + b.w);
    row_out[lane + 32 * i] = result;  // expect: global store 16 sectors/request
  }
}

int main() {
  const int rows = 4096;
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(rows) * kColumns, 25);
  const std::vector<float> gamma = catalogue::random_values(kColumns, 26), beta = catalogue::random_values(kColumns, 27);
  std::vector<float> expected(in.size());
  for (int r = 0; r < rows; ++r) {
    const float *row = &in[static_cast<std::size_t>(r) * kColumns];
    double mean = 0, variance = 0;
    for (int c = 0; c < kColumns; ++c) mean += row[c] / static_cast<double>(kColumns);
    for (int c = 0; c < kColumns; ++c) variance += (row[c] - mean) * (row[c] - mean) / kColumns;
    for (int c = 0; c < kColumns; ++c)
      expected[static_cast<std::size_t>(r) * kColumns + c] =
          static_cast<float>((row[c] - mean) / std::sqrt(variance + 1e-5) * gamma[c] + beta[c]);
  }

  catalogue::Device<float> d_in(in), d_gamma(gamma), d_beta(beta), d_out(in.size());
  const dim3 block(32, kRowsPerBlock);
  layernorm_row<<<rows / kRowsPerBlock, block>>>(reinterpret_cast<const float4 *>(d_in.get()), d_gamma, d_beta,
                                                reinterpret_cast<float4 *>(d_out.get()), 1e-5f);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("layernorm", d_out.download(), expected, 1e-4);
  return catalogue::report("layernorm_row", ok);
}
