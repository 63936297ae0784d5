// gemm_tiled: C = A * B with 32x32 tiles of both operands staged in shared memory; B is
// (K,N), so that neither operand has a bank conflict and no padding is needed.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   stores As[ty][tx], Bs[ty][tx]: words 32*ty + lane, one word a bank: 1-way, 1 wavefront
//   loads As[ty][i]: one word for all lanes (broadcast): 1-way. The inner loop is unrolled
//     and the row starts 128-byte aligned, so four neighbouring i become one 128-bit load:
//     8 requests a tile, not 32; a 128-bit broadcast takes 2 wavefronts (its ideal, too)
//   loads Bs[i][tx]: words 32*i + lane: 1-way, 32 requests a tile of 1 wavefront
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   loads of A and of B: 1,048,576 requests, 4,194,304 sectors each
//   stores to As and to Bs: 1,048,576 requests and wavefronts each
//   loads of As: 8,388,608 requests, 16,777,216 wavefronts
//   loads of Bs: 33,554,432 requests and wavefronts
//   stores of C: 32,768 requests, 131,072 sectors
//
// Claims that do not hold:
//   "As[ty][k] is a row access at stride 1": k is the same in all lanes. It is a broadcast.
//   That tiles like these need one column of padding (a threefold gain): they have no
//   conflict to remove; see gemm_padded for what the padding costs instead.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_tiled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int m,
                           int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int a_col = tile * TILE + tx;
    const int b_row = tile * TILE + ty;
    As[ty][tx] = (row < m && a_col < k) ? A[row * k + a_col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    Bs[ty][tx] = (b_row < k && col < n) ? B[b_row * n + col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += As[ty][i] * Bs[i][tx];  // expect: shared load 1-way
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

static void launch_gemm(const float *A, const float *B, float *C, int m, int n, int k) {
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  gemm_tiled<<<grid, block>>>(A, B, C, m, n, k);
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);
  launch_gemm(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_tiled", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_tiled", ok);
}
