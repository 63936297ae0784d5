// gemm_cp_async: gemm_tiled with the tiles copied from global to shared memory by cp.async,
// four bytes a lane, one stage: copy, wait, compute.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane. One copy
// instruction reads global and writes shared memory:
//   copies of A, B: 32 consecutive floats on both sides: 4 sectors, 1 tag; 1-way, 1
//     wavefront. The value never passes through a register
//   the zero stores at the edge: the size is a multiple of the tile, so they never run;
//     they show as 0 wavefronts or not at all
//   loads As[ty][i]: broadcast, merged to 8 128-bit requests a tile of 2 wavefronts
//   loads Bs[i][tx]: 32 consecutive words: 1-way, 32 requests a tile
//   store of C: 4 sectors
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   copies of A and of B: 1,048,576 requests, 4,194,304 sectors, 1,048,576 wavefronts each
//   loads of As: 8,388,608 requests, 16,777,216 wavefronts
//   loads of Bs: 33,554,432 requests and wavefronts
//   stores of C: 32,768 requests, 131,072 sectors
// Every figure is gemm_tiled's. What changes is latency and registers, not the counts.
#include <cuda_pipeline.h>

#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_cp_async(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int a_col = tile * TILE + tx;
    const int b_row = tile * TILE + ty;
    if (row < m && a_col < k)
      __pipeline_memcpy_async(&As[ty][tx], &A[row * k + a_col], sizeof(float));  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
    else
      As[ty][tx] = 0.0f;
    if (b_row < k && col < n)
      __pipeline_memcpy_async(&Bs[ty][tx], &B[b_row * n + col], sizeof(float));  // expect: global async_copy 4 sectors/request; shared async_copy 1-way
    else
      Bs[ty][tx] = 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // and everybody else's

#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += As[ty][i] * Bs[i][tx];  // expect: shared load 1-way
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const dim3 block(TILE, TILE);
  const dim3 grid(catalogue::ceil_div(N, TILE), catalogue::ceil_div(M, TILE));
  gemm_cp_async<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_cp_async", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_cp_async", ok);
}
