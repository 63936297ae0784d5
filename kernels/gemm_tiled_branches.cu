// gemm_tiled_branches: gemm_tiled with the guarded loads written as if/else, each branch
// with its own store. The counts are gemm_tiled's in every place.
//
// It is kept apart for what the compiler does with it: the two stores of a branch pair are
// sunk into one store of a selected value. That store belongs to two source lines, so
// debug information gives it none of its own, and a per-line counter shows it wherever the
// line table happened to stand. Hence the store lines have no expectation of their own:
// expect gemm_tiled_branches: shared store assumed
// A warp is one row of the 32x32 block:
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   stores to As, Bs: 1 wavefront; one request a tile and array, not two
//   loads As[ty][i]: 128-bit broadcasts, 8 a tile of 2 wavefronts; Bs[i][tx]: 32 of 1
// Whole launch at 1024: 1,048,576 warp-tiles; loads of A and of B 1,048,576 requests and
// 4,194,304 sectors each, stores to As and to Bs 1,048,576 wavefronts each, loads of As
// 16,777,216 wavefronts, of Bs 33,554,432; stores of C 32,768 requests, 131,072 sectors.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_tiled_branches(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    if (row < m && tile * TILE + tx < k) {
      As[ty][tx] = A[row * k + tile * TILE + tx];  // expect: global load 4 sectors/request
    } else {
      As[ty][tx] = 0.0f;
    }
    const int b_row = tile * TILE + ty;
    if (b_row < k && col < n) {
      Bs[ty][tx] = B[b_row * n + col];  // expect: global load 4 sectors/request
    } else {
      Bs[ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      sum += As[ty][i] * Bs[i][tx];  // expect: shared load 1-way
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    C[row * n + col] = sum;  // expect: global store 4 sectors/request
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);
  dim3 block(TILE, TILE, 1);
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, 1);
  gemm_tiled_branches<<<grid, block, 0>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_tiled_branches", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_tiled_branches", ok);
}
