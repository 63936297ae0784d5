// gemm_naive: C = A * B with one thread an element and no shared memory, in both ways of
// mapping threads to C. A is (M,K), B is (K,N), C is (M,N), all row-major.
//
// A warp is 32 consecutive threadIdx.x, since blockDim.x is 32.
//
// gemm_naive_col, threadIdx.x -> column (the coalesced mapping):
//   A[row*k + i]  row is the same in all lanes: one word, 1 sector a request (broadcast)
//   B[i*n + col]  32 consecutive floats, 128 bytes on a line: 4 sectors, 1 tag
//   C[row*n+col]  the same: 4 sectors, 1 tag
// gemm_naive_row, threadIdx.x -> row:
//   A[row*k + i]  lanes K*4 bytes apart: 32 sectors and 32 tags a request
//   B[i*n + col]  one word: 1 sector
//   C[row*n+col]  lanes N*4 bytes apart: 32 sectors, 32 tags
//
// Whole launch at 1024: 32,768 warps, each 1024 iterations.
//   loads of A: 33,554,432 requests; x1 = 33,554,432 sectors (col), x32 = 1,073,741,824 (row)
//   loads of B: 33,554,432 requests; x4 = 134,217,728 sectors (col), x1 = 33,554,432 (row)
//   stores of C: 32,768 requests; 131,072 sectors (col), 1,048,576 (row)
// The loads of neighbouring iterations are never merged into wider ones: with k a run-time
// number the compiler cannot prove that row*k + i is a multiple of four.
//
// Claims that do not hold:
//   "reads of B are the inefficiency of the naive kernel, since a column of B is strided":
//     true of one thread over time, but requests are formed across lanes. In the usual
//     mapping B is the coalesced operand (4 sectors of 4 needed) and A a broadcast.
//   Explanations with 4x4 thread blocks: such a block has 16 threads, so each of its
//     requests uses half a warp and covers four rows; it has neither of the patterns above.
//   "up to 4x more transactions" for the row mapping: with a full warp it is 32 sectors
//     against 4 for C (8x) and 32 against 1 for A (32x).
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

__global__ void gemm_naive_col(const float *A, const float *B, float *C, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      const float a = A[row * k + i];  // expect: global load 1 sectors/request
      const float b = B[i * n + col];  // expect: global load 4 sectors/request
      sum += a * b;
    }
    C[row * n + col] = sum;  // expect: global store 4 sectors/request
  }
}

__global__ void gemm_naive_row(const float *A, const float *B, float *C, int m, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      const float a = A[row * k + i];  // expect: global load 32 sectors/request
      const float b = B[i * n + col];  // expect: global load 1 sectors/request
      sum += a * b;
    }
    C[row * n + col] = sum;  // expect: global store 32 sectors/request
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const dim3 block(32, 8);
  const dim3 by_column((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
  gemm_naive_col<<<by_column, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  bool ok = catalogue::compare_gemm("gemm_naive_col", a, b, C.download(), M, N, K);

  C.clear();
  const dim3 by_row((M + block.x - 1) / block.x, (N + block.y - 1) / block.y);
  gemm_naive_row<<<by_row, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_naive_row", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_naive", ok);
}
