// gemm_double_buffered: two copies of each 32x32 tile; the next one is loaded while the
// current one is used, with one barrier a tile. B is (K,N), both tiles padded by a column.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   stores As[..][ty][tx], Bs[..][ty][tx]: 32 consecutive words: 1-way, 1 wavefront
//   loads As[..][ty][i]: one word for all lanes: 1-way. Rows of 33 words are not 16-byte
//     aligned, so these stay 32-bit: 32 requests a tile
//   loads Bs[..][i][tx]: 32 consecutive words: 1-way, 32 requests a tile
// The first tile is loaded before the loop, the other K/32 - 1 in it.
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   loads of A: 32,768 requests before the loop (131,072 sectors), 1,015,808 in it
//     (4,063,232 sectors); loads of B the same
//   stores to As and to Bs: 32,768 + 1,015,808 requests and wavefronts each
//   loads of As and of Bs: 33,554,432 requests and wavefronts each
//   stores of C: 32,768 requests, 131,072 sectors
//
// The padding here is the same needless one as in gemm_padded_both; without it the loads of
// As would be 8,388,608 requests. 2 x 2 x 32 x 33 x 4 = 16,896 bytes of shared memory.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_double_buffered(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[2][TILE][TILE + 1];
  __shared__ float Bs[2][TILE][TILE + 1];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int tiles = (k + TILE - 1) / TILE;

  As[0][ty][tx] = (row < m && tx < k) ? A[row * k + tx] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
  Bs[0][ty][tx] = (ty < k && col < n) ? B[ty * n + col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();

  float sum = 0.0f;
  int current = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int next = 1 - current;
    if (tile + 1 < tiles) {
      const int a_col = (tile + 1) * TILE + tx, b_row = (tile + 1) * TILE + ty;
      As[next][ty][tx] = (row < m && a_col < k) ? A[row * k + a_col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
      Bs[next][ty][tx] = (b_row < k && col < n) ? B[b_row * n + col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    }
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += As[current][ty][i] * Bs[current][i][tx];  // expect: shared load 1-way
    current = next;
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const dim3 block{TILE, TILE};
  const dim3 grid{(unsigned)catalogue::ceil_div(N, TILE), (unsigned)catalogue::ceil_div(M, TILE)};
  gemm_double_buffered<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_double_buffered", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_double_buffered", ok);
}
