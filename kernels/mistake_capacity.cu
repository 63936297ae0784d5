// A common mistake: forgetting that padding needs room. A tile of 96 rows of 128 floats takes 49,152 bytes, exactly the
// 48 KB that a block may have statically. One word of padding a row makes it 49,536 bytes: as a static array that does
// not compile, as a dynamic one the launch is refused until the kernel has opted in. The XOR swizzle removes the
// conflict inside the 48 KB.
//
// Blocks of 96 threads (3 warps); thread t adds up row t, one word a step (the loop is kept rolled so that the steps are
// single words: unrolled, four neighbours of the row would merge into one 16-byte load).
//   row_sums_static    word 128 t + k: all lanes in bank k mod 32: 32-way
//   row_sums_padded    word 129 t + k: bank (t + k) mod 32: 1-way, 49,536 bytes of dynamic shared memory
//   row_sums_swizzled  word 128 t + (k ^ (t & 31)): bank (k ^ t) mod 32, a permutation: 1-way
// Fill: 32 consecutive words of one row (128 is a multiple of 32): 1-way, also when permuted by a uniform XOR.
//
// Whole launch of each kernel, 256 blocks: fill 256 * 3 * 128 = 98,304 requests, 98,304 wavefronts, 393,216 sectors;
// row loads 256 * 3 * 128 = 98,304 requests, 3,145,728 wavefronts unpadded and 98,304 in the other two;
// result 768 requests, 3,072 sectors.
#include "catalogue.h"

constexpr int kRows = 96;
constexpr int kColumns = 128;
constexpr int kPitch = kColumns + 1;
constexpr int kBlocks = 256;
static_assert(kRows * kColumns * sizeof(float) == 48 * 1024, "fits exactly");
static_assert(kRows * kPitch * sizeof(float) > 48 * 1024, "needs the opt-in");

__global__ void row_sums_static(const float *in, float *out) {
  __shared__ float tile[kRows][kColumns];
  in += blockIdx.x * kRows * kColumns;
  for (int i = threadIdx.x; i < kRows * kColumns; i += kRows)
    tile[i / kColumns][i % kColumns] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < kColumns; ++k) sum += tile[threadIdx.x][k];  // expect: shared load 32-way
  out[blockIdx.x * kRows + threadIdx.x] = sum;                     // expect: global store 4 sectors/request
}

__global__ void row_sums_padded(const float *in, float *out) {
  extern __shared__ float padded[];
  in += blockIdx.x * kRows * kColumns;
  for (int i = threadIdx.x; i < kRows * kColumns; i += kRows)
    padded[i / kColumns * kPitch + i % kColumns] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < kColumns; ++k) sum += padded[threadIdx.x * kPitch + k];  // expect: shared load 1-way
  out[blockIdx.x * kRows + threadIdx.x] = sum;                                 // expect: global store 4 sectors/request
}

__global__ void row_sums_swizzled(const float *in, float *out) {
  __shared__ float tile[kRows][kColumns];
  in += blockIdx.x * kRows * kColumns;
  for (int i = threadIdx.x; i < kRows * kColumns; i += kRows) {
    const int row = i / kColumns, column = i % kColumns;
    tile[row][column ^ (row & 31)] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  }
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < kColumns; ++k) sum += tile[threadIdx.x][k ^ (threadIdx.x & 31)];  // expect: shared load 1-way
  out[blockIdx.x * kRows + threadIdx.x] = sum;                                          // expect: global store 4 sectors/request
}

int main() {
  const std::vector<float> in = catalogue::random_values(static_cast<std::size_t>(kBlocks) * kRows * kColumns, 13);
  std::vector<float> expected(kBlocks * kRows, 0.0f);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i / kColumns] += in[i];
  catalogue::Device<float> d_in(in), d_out(expected.size());

  row_sums_static<<<kBlocks, kRows>>>(d_in, d_out);
  CHECK_LAUNCH();
  bool ok = catalogue::compare("static, 48 KB", d_out.download(), expected);

  d_out.clear();
  const int padded_bytes = kRows * kPitch * static_cast<int>(sizeof(float));
  CUDA_CHECK(cudaFuncSetAttribute(row_sums_padded, cudaFuncAttributeMaxDynamicSharedMemorySize, padded_bytes));
  row_sums_padded<<<kBlocks, kRows, padded_bytes>>>(d_in, d_out);
  CHECK_LAUNCH();
  ok = catalogue::compare("padded, opted in", d_out.download(), expected) && ok;

  d_out.clear();
  row_sums_swizzled<<<kBlocks, kRows>>>(d_in, d_out);
  CHECK_LAUNCH();
  ok = catalogue::compare("swizzled, 48 KB", d_out.download(), expected) && ok;
  return catalogue::report("mistake_capacity", ok);
}
