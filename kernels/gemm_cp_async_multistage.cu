// gemm_cp_async_multistage: 64x64 tiles, 16-byte cp.async copies, three stages in dynamic
// shared memory: while one is used, two are on their way. 4x4 elements a thread.
//
// 256 threads in a row; tx = thread % 16, ty = thread / 16, so a warp has two ty.
//   copies of A: 16 bytes a lane, four lanes a row of 64 bytes, 8 rows: 16 sectors, ideal;
//     the tile in shared memory is contiguous: 512 bytes, each quarter-warp covers the
//     banks once: 1-way, 4 wavefronts
//   copies of B: 16 lanes a row of 256 bytes, 2 rows: 16 sectors; shared side as for A
//   loads of A's tile: rows ty + 16*r of 16 words, float4 along the row: the two ty are 64
//     bytes apart, one address a quarter-warp: 1-way
//   loads of B's tile, float4: 16 lanes, 256 consecutive bytes, twice: 1-way
//   stores of C, float4: 16 lanes, 256 bytes of a row, 2 rows: 16 sectors, ideal
//
// Whole launch at 1024: 256 blocks of 8 warps, 64 tiles = 131,072 warp-tiles. Those copies under a
// condition are not claimed: on sm_90 the counters of guarded .cg copies are no function of addresses.
//   copies of A and of B: 131,072 requests, 2,097,152 sectors, 524,288 wavefronts each (of
//     which 4,096 requests, 65,536 sectors, 16,384 wavefronts each before the loop)
//   loads of A's tile: 4 rows x 4 quarters = 16 requests a tile = 2,097,152
//   loads of B's tile: 16 requests a tile = 2,097,152
//   stores of C: 4 requests a warp = 8,192 requests, 131,072 sectors
//
// Pipelines are often written with the commit inside the guard `if (tile + 2 < tiles)` and
// a constant wait for all but the last two groups. In the last two rounds no group is added,
// so "all but the last two" no longer includes the tile about to be read: a race. Here every
// round commits a group, an empty one at the end, which keeps the count right.
#include <cuda_pipeline.h>

#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 64, BN = 64, BK = 16, STAGES = 3;
constexpr int THREADS = 256;
constexpr int A_WORDS = BM * BK, B_WORDS = BK * BN;  // of one stage
constexpr int SHARED_BYTES = STAGES * (A_WORDS + B_WORDS) * sizeof(float);
static_assert(A_WORDS == 4 * THREADS && B_WORDS == 4 * THREADS, "one 16-byte copy of each tile a thread");
static_assert(M % BM == 0 && N % BN == 0 && K % BK == 0, "whole tiles only");

__device__ __forceinline__ void copy_tiles(float *As, float *Bs, const float *A, const float *B, int n, int k, int k0) {
  const int thread = threadIdx.x;
  const int a_row = thread / (BK / 4), a_col = thread % (BK / 4) * 4;
  const int b_row = thread / (BN / 4), b_col = thread % (BN / 4) * 4;
  const float *a_from = A + (blockIdx.y * BM + a_row) * k + k0 + a_col;
  const float *b_from = B + (k0 + b_row) * n + blockIdx.x * BN + b_col;
  __pipeline_memcpy_async(As + a_row * BK + a_col, a_from, 16);  // expect: global async_copy unknown; shared async_copy unknown
  __pipeline_memcpy_async(Bs + b_row * BN + b_col, b_from, 16);  // expect: global async_copy unknown; shared async_copy unknown
}

__global__ void __launch_bounds__(THREADS)
    gemm_cp_async_multistage(const float *A, const float *B, float *C, int n, int k) {
  extern __shared__ __align__(16) float pool[];
  float *const As = pool;                     // [STAGES][BM][BK]
  float *const Bs = pool + STAGES * A_WORDS;  // [STAGES][BK][BN]

  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int tiles = k / BK;

  for (int tile = 0; tile < STAGES - 1; ++tile) {
    if (tile < tiles) copy_tiles(As + tile * A_WORDS, Bs + tile * B_WORDS, A, B, n, k, tile * BK);
    __pipeline_commit();
  }

  float sum[4][4] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    __pipeline_wait_prior(STAGES - 2);  // this tile has arrived; the next may be on its way
    __syncthreads();                    // for everybody, and the stage filled next is free

    const int ahead = tile + STAGES - 1;
    if (ahead < tiles)
      copy_tiles(As + ahead % STAGES * A_WORDS, Bs + ahead % STAGES * B_WORDS, A, B, n, k, ahead * BK);
    __pipeline_commit();

    const float *a_tile = As + tile % STAGES * A_WORDS, *b_tile = Bs + tile % STAGES * B_WORDS;
#pragma unroll
    for (int i = 0; i < BK; i += 4) {
      float a[4][4], b[4][4];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const float4 a4 = *reinterpret_cast<const float4 *>(a_tile + (ty + 16 * r) * BK + i);  // expect: shared load 1-way
        a[r][0] = a4.x, a[r][1] = a4.y, a[r][2] = a4.z, a[r][3] = a4.w;
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float4 b4 = *reinterpret_cast<const float4 *>(b_tile + (i + j) * BN + tx * 4);  // expect: shared load 1-way
        b[j][0] = b4.x, b[j][1] = b4.y, b[j][2] = b4.z, b[j][3] = b4.w;
      }
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
          for (int c = 0; c < 4; ++c) sum[r][c] += a[r][j] * b[j][c];
    }
  }

#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * BM + ty + 16 * r, col = blockIdx.x * BN + tx * 4;
    const float4 c4 = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
    *reinterpret_cast<float4 *>(&C[row * n + col]) = c4;  // expect: global store 16 sectors/request
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  CUDA_CHECK(cudaFuncSetAttribute(gemm_cp_async_multistage, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
  const dim3 grid(N / BN, M / BM);
  gemm_cp_async_multistage<<<grid, THREADS, SHARED_BYTES>>>(A, B, C, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_cp_async_multistage", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_cp_async_multistage", ok);
}
