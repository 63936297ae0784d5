// gemm_padded: one padding column in a 32x32 tile, where it helps and where it does not.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//
// gemm_padded, B stored (N,K), the tile of B transposed when stored, its pitch 33 words:
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   store Bs[tx][ty]: word 33*lane + ty, bank (lane + ty) mod 32, all different: 1-way
//     (pitch 32: 32-way, see gemm_transposed_store)
//   loads Bs[i][tx]: words 33*i + lane: 1-way, 32 requests a tile
//   As keeps pitch 32: loads As[ty][i] are broadcasts, merged to 8 128-bit requests a tile
//     of 2 wavefronts; store As[ty][tx] 1-way
//
// gemm_padded_both, B stored (K,N), both tiles at pitch 33, as often recommended:
//   there was no conflict to remove: Bs[i][tx] is a row, As[ty][i] a broadcast (gemm_tiled)
//   rows of 33 words are not 16-byte aligned, so the loads of As can no longer be merged:
//     32 requests a tile of 1 wavefront where there were 8 of 2
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   both: loads of A and of B: 1,048,576 requests, 4,194,304 sectors each
//         stores to As and to Bs: 1,048,576 requests and wavefronts each
//         loads of Bs: 33,554,432 requests and wavefronts
//         stores of C: 32,768 requests, 131,072 sectors
//   gemm_padded:      loads of As  8,388,608 requests, 16,777,216 wavefronts
//   gemm_padded_both: loads of As 33,554,432 requests and wavefronts
//
// Claims that do not hold: "padding the tiles of a matrix product by one column takes it
// from 4 to 12 TFLOPS". For the (K,N) kernel printed beside that claim padding removes
// nothing and doubles the wavefronts of As. "Pad whenever the width is even" is the same
// mistake: whether to pad follows from the access, not from the width.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;
constexpr int PAD = 1;

__global__ void gemm_padded(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + PAD];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int b_row = blockIdx.x * TILE + ty;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int at = tile * TILE + tx;
    As[ty][tx] = (row < m && at < k) ? A[row * k + at] : 0.0f;      // expect: global load 4 sectors/request; shared store 1-way
    Bs[tx][ty] = (b_row < n && at < k) ? B[b_row * k + at] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

    for (int i = 0; i < TILE; ++i) sum += As[ty][i] * Bs[i][tx];  // expect: shared load 1-way
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

__global__ void gemm_padded_both(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                 int m, int n, int k) {
  __shared__ float As[TILE][TILE + PAD];
  __shared__ float Bs[TILE][TILE + PAD];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int a_col = tile * TILE + tx, b_row = tile * TILE + ty;
    As[ty][tx] = (row < m && a_col < k) ? A[row * k + a_col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    Bs[ty][tx] = (b_row < k && col < n) ? B[b_row * n + col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

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
  gemm_padded<<<grid, block>>>(A, B, C, M, N, K);  // the same values, read as (N,K)
  CHECK_LAUNCH();
  bool ok = catalogue::compare_gemm("gemm_padded", a, b, C.download(), M, N, K, catalogue::Layout::NK);

  C.clear();
  gemm_padded_both<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_padded_both", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_padded", ok);
}
