// gemm_warp_tiled: a level between block and thread. Each of 4 warps computes 64x64 of the
// block's 128x128 as four strips of 64x16; within a strip 8x4 lanes have 8x4 elements each.
//
//   A, float4: four lanes a row of 64 bytes, 8 rows: 16 sectors of 512 bytes, ideal
//   B, float4: 512 consecutive bytes: 16 sectors, 4 tags
//   stores As[a_col + j][r]: the four lanes of a row write one column of rows j, 4 + j,
//     8 + j, 12 + j: multiples of 4*128 words apart, one bank: 8 banks of four words,
//     4-way, 4 wavefronts; ideal 1. (gemm_vectorized, with half the depth: 2-way.)
//   store Bs, float4: 512 consecutive bytes: 4 wavefronts, 1-way
//   loads As[i][row + r]: two 128-bit loads an i. Lanes 0..3 share an address, 4..7 the one
//     32 bytes on: two distinct addresses a quarter-warp in different banks: 1-way
//   loads Bs[i][col + ..]: one 128-bit load a strip and i. Four distinct addresses in 64
//     consecutive bytes: 1-way. This is what the warp level buys: gemm_vectorized reads
//     the same tile 2-way
//   stores of C, float4: four lanes fill 64 bytes of a row, 8 rows: 16 sectors, ideal
//
// Whole launch at 1024: 64 blocks of 4 warps, 64 steps of k0 = 16,384 warp-steps.
//   loads of A and of B: 65,536 requests, 1,048,576 sectors each
//   stores to As: 262,144 requests, 1,048,576 wavefronts (ideal 262,144)
//   stores to Bs: 65,536 requests, 262,144 wavefronts
//   loads of As: 524,288 requests; of Bs: 1,048,576 requests; none with a conflict
//   stores of C: 8,192 requests, 131,072 sectors
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

// The shape of one variant; `Tile` is a parameter so that others can be tried.
struct Tile {
  static constexpr int BM = 128, BN = 128, BK = 16;     // the block's tiles
  static constexpr int WM = 64, WN = 64;                // the warp's tile of C
  static constexpr int TM = 8, TN = 4;                  // the thread's piece of a warp's column strip
  static constexpr int STRIPS = 4, STRIP = WN / STRIPS; // 16 columns a strip
  static constexpr int LANES_X = STRIP / TN;            // 4 lanes across, 8 down
  static constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
  static_assert(LANES_X * (WM / TM) == 32, "a warp covers its strip exactly");
};
static_assert(M % Tile::BM == 0 && N % Tile::BN == 0 && K % Tile::BK == 0, "whole tiles only");

template <typename T>
__global__ void __launch_bounds__(T::THREADS)
    gemm_warp_tiled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n, int k) {
  __shared__ __align__(16) float As[T::BK][T::BM];  // transposed: As[k][row]
  __shared__ __align__(16) float Bs[T::BK][T::BN];

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int warp_row = warp / (T::BN / T::WN) * T::WM, warp_col = warp % (T::BN / T::WN) * T::WN;
  const int row = warp_row + lane / T::LANES_X * T::TM;  // within the block's tile
  const int col = warp_col + lane % T::LANES_X * T::TN;  // and within each strip

  constexpr int A_ROWS = T::THREADS / (T::BK / 4), B_ROWS = T::THREADS / (T::BN / 4);
  const int a_row = thread / (T::BK / 4), a_col = thread % (T::BK / 4) * 4;
  const int b_row = thread / (T::BN / 4), b_col = thread % (T::BN / 4) * 4;
  A += blockIdx.y * T::BM * k;
  B += blockIdx.x * T::BN;
  C += blockIdx.y * T::BM * n + blockIdx.x * T::BN;

  float sum[T::TM][T::STRIPS][T::TN] = {};
  for (int k0 = 0; k0 < k; k0 += T::BK) {
#pragma unroll
    for (int r = a_row; r < T::BM + a_row; r += A_ROWS) {
      const float4 a4 = *reinterpret_cast<const float4 *>(&A[r * k + k0 + a_col]);  // expect: global load 16 sectors/request
      As[a_col + 0][r] = a4.x;                                                      // expect: shared store 4-way
      As[a_col + 1][r] = a4.y;                                                      // expect: shared store 4-way
      As[a_col + 2][r] = a4.z;                                                      // expect: shared store 4-way
      As[a_col + 3][r] = a4.w;                                                      // expect: shared store 4-way
    }
#pragma unroll
    for (int r = b_row; r < T::BK + b_row; r += B_ROWS) {
      const float4 *from = reinterpret_cast<const float4 *>(&B[(k0 + r) * n + b_col]);
      *reinterpret_cast<float4 *>(&Bs[r][b_col]) = *from;  // expect: global load 16 sectors/request; shared store 1-way
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < T::BK; ++i) {
      float a[T::TM], b[T::STRIPS][T::TN];
#pragma unroll
      for (int r = 0; r < T::TM; ++r) a[r] = As[i][row + r];  // expect: shared load 1-way
#pragma unroll
      for (int s = 0; s < T::STRIPS; ++s)
#pragma unroll
        for (int c = 0; c < T::TN; ++c) b[s][c] = Bs[i][col + s * T::STRIP + c];  // expect: shared load 1-way
#pragma unroll
      for (int r = 0; r < T::TM; ++r)
#pragma unroll
        for (int s = 0; s < T::STRIPS; ++s)
#pragma unroll
          for (int c = 0; c < T::TN; ++c) sum[r][s][c] += a[r] * b[s][c];
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < T::TM; ++r) {
#pragma unroll
    for (int s = 0; s < T::STRIPS; ++s) {
      const float4 c4 = make_float4(sum[r][s][0], sum[r][s][1], sum[r][s][2], sum[r][s][3]);
      *reinterpret_cast<float4 *>(&C[(row + r) * n + col + s * T::STRIP]) = c4;  // expect: global store 16 sectors/request
    }
  }
}

template <typename T>
void launch(const float *A, const float *B, float *C, int m, int n, int k) {
  dim3 grid(n / T::BN, m / T::BM);
  gemm_warp_tiled<T><<<grid, T::THREADS>>>(A, B, C, n, k);
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);
  launch<Tile>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_warp_tiled", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_warp_tiled", ok);
}
