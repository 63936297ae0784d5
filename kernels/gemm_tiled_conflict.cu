// gemm_tiled_conflict: the tiled kernel for B stored (N,K), the tile of B kept as it lies in
// memory and read by column. All lanes of the inner loop's read of Bs meet in one bank.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   stores As[ty][tx], Bs[ty][tx]: words 32*ty + lane: 1-way, 1 wavefront
//   loads As[ty][i]: broadcast, 1-way
//   loads Bs[tx][i]: word 32*lane + i, bank i for every lane
//
// The cost of the last depends on what the compiler makes of the loop over i.
// gemm_tiled_conflict_rolled keeps it rolled: 32-bit loads, 32 distinct words in one bank,
// 32-way, 32 wavefronts a request against an ideal of 1; 32 requests a tile.
// gemm_tiled_conflict leaves it to the compiler, which unrolls it fully and, as each row
// starts 128-byte aligned, merges four neighbouring i into one 128-bit load of both tiles.
// Such a request is served a quarter-warp at a time: the 8 lanes of a phase are 128 bytes
// apart and meet in the same four banks, 8-way; 4 phases of 8 make the same 32 wavefronts
// a request, but there are 8 requests a tile and the ideal of each is 4.
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   loads of A and of B: 1,048,576 requests, 4,194,304 sectors each
//   stores to As and to Bs: 1,048,576 requests and wavefronts each
//   rolled:   loads of As 33,554,432 requests and wavefronts
//             loads of Bs 33,554,432 requests, 1,073,741,824 wavefronts (ideal 33,554,432)
//   unrolled: loads of As 8,388,608 requests, 16,777,216 wavefronts
//             loads of Bs 8,388,608 requests, 268,435,456 wavefronts (ideal 33,554,432)
//   stores of C: 32,768 requests, 131,072 sectors
//
// Claims that do not hold: "32-way" is the kernel as written, not as compiled. The machine
// code is 8-way in each phase, a quarter of the claimed wavefronts, and 8 times the ideal.
// "With FP16 it is 16-way": a half row of 32 is 64 bytes, so lanes 2 apart meet in a bank:
// 16 distinct words, 16-way, true of 16-bit loads; but the code beside the claim is FP32.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_tiled_conflict(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int b_row = blockIdx.x * TILE + ty, at = tile * TILE + tx;  // B's row is C's column
    As[ty][tx] = (row < m && at < k) ? A[row * k + at] : 0.0f;        // expect: global load 4 sectors/request; shared store 1-way
    Bs[ty][tx] = (b_row < n && at < k) ? B[b_row * k + at] : 0.0f;    // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float a = As[ty][i];  // expect: shared load 1-way
      const float b = Bs[tx][i];  // expect: shared load 8-way
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

__global__ void gemm_tiled_conflict_rolled(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int b_row = blockIdx.x * TILE + ty, at = tile * TILE + tx;
    As[ty][tx] = (row < m && at < k) ? A[row * k + at] : 0.0f;      // expect: global load 4 sectors/request; shared store 1-way
    Bs[ty][tx] = (b_row < n && at < k) ? B[b_row * k + at] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

#pragma unroll 1
    for (int i = 0; i < TILE; ++i) {
      const float a = As[ty][i];  // expect: shared load 1-way
      const float b = Bs[tx][i];  // expect: shared load 32-way
      sum += a * b;
    }
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(N * K, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  dim3 block(TILE, TILE);
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  gemm_tiled_conflict<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  bool ok = catalogue::compare_gemm("gemm_tiled_conflict", a, b, C.download(), M, N, K, catalogue::Layout::NK);

  C.clear();
  gemm_tiled_conflict_rolled<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_tiled_conflict_rolled", a, b, C.download(), M, N, K, catalogue::Layout::NK);
  return catalogue::report("gemm_tiled_conflict", ok);
}
