// gemm_block_tiled_2d: 8x8 elements of C a thread, 128x128 a block of 256 threads, scalar
// loads throughout, the tile of A as it lies in memory.
//
// A warp is two neighbouring ty and 16 tx.
//   A[..]: 8 lanes a row of the tile, 32 bytes of each of 4 rows: 4 sectors in 4 tags
//   B[..]: 32 consecutive floats: 4 sectors, 1 tag
//   stores to As, Bs: 32 consecutive words: 1-way, 1 wavefront
//   loads As[8*ty + r][i]: the two values of ty are 64 words apart, one bank, two distinct
//     words. As 32-bit loads that would be 2-way. Rows are 32 bytes, so i to i + 3 merge
//     into one 128-bit load, which is served a quarter-warp at a time; each quarter has one
//     ty: 1-way, 16 requests a step
//   loads Bs[i][8*tx + c]: c to c + 3 merge into a 128-bit load. Eight lanes of a phase are
//     32 bytes apart and span 64 words, tx and tx + 4 meet in four banks: 2-way, 16 requests
//     a step
//   stores of C: lanes are 32 bytes apart, one sector each: 32 sectors a request, ideal 4.
//     n is a run-time number, so the address is not known to be 16-byte aligned and the 8
//     neighbouring stores are not merged: each sector is touched by 8 requests
//
// Whole launch at 1024: 64 blocks of 8 warps, 128 steps of k0 = 65,536 warp-steps.
//   loads of A and of B: 262,144 requests, 1,048,576 sectors each
//   stores to As and to Bs: 262,144 requests and wavefronts each
//   loads of As and of Bs: 1,048,576 requests each
//   stores of C: 32,768 requests, 1,048,576 sectors (ideal 131,072)
//
// Counting the loads one float at a time, as written, gives As 2-way and Bs, with lanes 8
// words apart, 4-way. Neither of those loads is issued.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 128, BN = 128, BK = 8;       // the block's tiles
constexpr int TM = 8, TN = 8;                   // the thread's tile of C
constexpr int THREADS = (BM / TM) * (BN / TN);  // 256

__global__ void __launch_bounds__(THREADS)
    gemm_block_tiled_2d(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int m, int n,
                        int k) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];

  const int thread = threadIdx.x;
  const int tx = thread % (BN / TN), ty = thread / (BN / TN);
  const int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
    for (int step = 0; step < BM * BK / THREADS; ++step) {
      const int r = (thread + step * THREADS) / BK, i = thread % BK;
      As[r][i] = (first_row + r < m && k0 + i < k) ? A[(first_row + r) * k + k0 + i] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    }
#pragma unroll
    for (int step = 0; step < BK * BN / THREADS; ++step) {
      const int i = (thread + step * THREADS) / BN, c = thread % BN;
      Bs[i][c] = (k0 + i < k && first_col + c < n) ? B[(k0 + i) * n + first_col + c] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < BK; ++i) {
      float a[TM], b[TN];
      for (int r = 0; r < TM; ++r) a[r] = As[ty * TM + r][i];  // expect: shared load 1-way
      for (int c = 0; c < TN; ++c) b[c] = Bs[i][tx * TN + c];  // expect: shared load 2-way
      for (int r = 0; r < TM; ++r)
        for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }

  for (int r = 0; r < TM; ++r) {
    for (int c = 0; c < TN; ++c) {
      const int row = first_row + ty * TM + r, col = first_col + tx * TN + c;
      if (row < m && col < n) C[row * n + col] = sum[r][c];  // expect: global store 32 sectors/request
    }
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  dim3 grid;
  grid.x = catalogue::ceil_div(N, BN);
  grid.y = catalogue::ceil_div(M, BM);
  gemm_block_tiled_2d<<<grid, THREADS>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_block_tiled_2d", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_block_tiled_2d", ok);
}
