// gemm_vectorized: gemm_block_tiled_2d with float4 accesses to global memory and the tile
// of A transposed on its way into shared memory. 128x128 a block, 8x8 a thread.
//
//   A, float4: two lanes a row of 32 bytes, 16 rows: 16 sectors a request of 512 bytes,
//     the ideal number, in 16 tags
//   B, float4: 32 lanes, 512 consecutive bytes: 16 sectors, 4 tags
//   stores As[a_col + j][a_row]: lanes 2*r and 2*r + 1 write column r of rows j and 4 + j,
//     4*128 words apart, one bank: 16 banks of two words, 2-way, 2 wavefronts; ideal 1
//   store Bs, float4: 512 consecutive bytes: 4 wavefronts, each quarter-warp 1-way
//   loads As[i][8*ty + r]: merged into two 128-bit loads an i; two distinct addresses a
//     warp, one a quarter-warp: 1-way
//   loads Bs[i][8*tx + c]: two 128-bit loads an i, lanes 32 bytes apart: tx and tx + 4 of a
//     quarter-warp meet: 2-way
//   stores of C, float4: lanes 32 bytes apart, each fills half a sector: 16 lanes x 2 rows =
//     32 sectors a request, ideal 16; the second float4 of the row fills the other halves
//
// Whole launch at 1024: 64 blocks of 8 warps, 128 steps of k0 = 65,536 warp-steps.
//   loads of A and of B: 65,536 requests, 1,048,576 sectors each
//   stores to As: 262,144 requests, 524,288 wavefronts (ideal 262,144)
//   stores to Bs: 65,536 requests, 262,144 wavefronts
//   loads of As and of Bs: 1,048,576 requests each
//   stores of C: 8,192 requests, 262,144 sectors (ideal 131,072)
//
// "128-bit loads move more" is not what changes: the sectors of A and B are those of
// gemm_block_tiled_2d to the last one; there are a quarter of the requests. The loads from
// shared memory were 128-bit before, without a float4 in the source.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 128, BN = 128, BK = 8;       // the block's tiles
constexpr int TM = 8, TN = 8;                   // the thread's tile of C
constexpr int THREADS = (BM / TM) * (BN / TN);  // 256: one float4 of each tile a thread
static_assert(BM * BK == 4 * THREADS && BK * BN == 4 * THREADS, "one float4 of each tile a thread");
static_assert(M % BM == 0 && N % BN == 0 && K % BK == 0, "whole tiles only");

__global__ void __launch_bounds__(THREADS)
    gemm_vectorized(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n, int k) {
  __shared__ __align__(16) float As[BK][BM];  // transposed: As[k][row]
  __shared__ __align__(16) float Bs[BK][BN];

  const int thread = threadIdx.x;
  const int tx = thread % (BN / TN), ty = thread / (BN / TN);
  const int a_row = thread / (BK / 4), a_col = thread % (BK / 4) * 4;
  const int b_row = thread / (BN / 4), b_col = thread % (BN / 4) * 4;

  const float *a_from = A + (blockIdx.y * BM + a_row) * k + a_col;
  const float *b_from = B + b_row * n + blockIdx.x * BN + b_col;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    const float4 a4 = *reinterpret_cast<const float4 *>(a_from);  // expect: global load 16 sectors/request
    As[a_col + 0][a_row] = a4.x;                                  // expect: shared store 2-way
    As[a_col + 1][a_row] = a4.y;                                  // expect: shared store 2-way
    As[a_col + 2][a_row] = a4.z;                                  // expect: shared store 2-way
    As[a_col + 3][a_row] = a4.w;                                  // expect: shared store 2-way
    *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = *reinterpret_cast<const float4 *>(b_from);  // expect: global load 16 sectors/request; shared store 1-way
    a_from += BK;
    b_from += BK * n;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < BK; ++i) {
      float a[TM], b[TN];
      for (int r = 0; r < TM; ++r) a[r] = As[i][ty * TM + r];  // expect: shared load 1-way
      for (int c = 0; c < TN; ++c) b[c] = Bs[i][tx * TN + c];  // expect: shared load 2-way
      for (int r = 0; r < TM; ++r)
        for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }

  float *to = C + (blockIdx.y * BM + ty * TM) * n + blockIdx.x * BN + tx * TN;
  for (int r = 0; r < TM; ++r, to += n) {
    for (int c = 0; c < TN; c += 4) {
      const float4 c4 = make_float4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);
      *reinterpret_cast<float4 *>(to + c) = c4;  // expect: global store 32 sectors/request
    }
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const dim3 grid(N / BN, M / BM);
  gemm_vectorized<<<grid, THREADS>>>(A, B, C, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_vectorized", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_vectorized", ok);
}
