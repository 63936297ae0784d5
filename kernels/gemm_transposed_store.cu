// gemm_transposed_store: the tiled kernel for B stored (N,K), with the tile of B transposed
// on its way into shared memory. The read conflict of gemm_tiled_conflict becomes a write
// conflict, in a place that runs once a tile and not 32 times.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   store As[ty][tx]: 1-way, 1 wavefront
//   store Bs[tx][ty]: word 32*lane + ty, bank ty for every lane, 32 distinct words: 32-way,
//     32 wavefronts a request against an ideal of 1
//   loads As[ty][i]: broadcast, merged to 8 128-bit requests a tile of 2 wavefronts
//   loads Bs[i][tx]: words 32*i + lane: 1-way, 32 requests a tile
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   loads of A and of B: 1,048,576 requests, 4,194,304 sectors each
//   stores to As: 1,048,576 requests and wavefronts
//   stores to Bs: 1,048,576 requests, 33,554,432 wavefronts (ideal 1,048,576)
//   loads of As: 8,388,608 requests, 16,777,216 wavefronts
//   loads of Bs: 33,554,432 requests and wavefronts
//   stores of C: 32,768 requests, 131,072 sectors
//
// "32-way write conflict, executed once where the read conflict executed 32 times" holds
// for the source. As compiled the conflicting reads were 8 128-bit requests a tile of 32
// wavefronts, so what is traded is 256 wavefronts a tile for 32 + 32, not 1024 for 32 + 32.
// "0-way" is 1-way in the usual count: one word a bank. The remark that FP16 leaves an
// "inherent 2-way conflict" is wrong: two halves of one word are one word, 1-way.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__global__ void gemm_transposed_store(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int b_row = blockIdx.x * TILE + ty;  // row of B, column of C

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int at = tile * TILE + tx;
    As[ty][tx] = (row < m && at < k) ? A[row * k + at] : 0.0f;      // expect: global load 4 sectors/request; shared store 1-way
    Bs[tx][ty] = (b_row < n && at < k) ? B[b_row * k + at] : 0.0f;  // expect: global load 4 sectors/request; shared store 32-way
    __syncthreads();

    for (int i = 0; i < TILE; ++i) sum += As[ty][i] * Bs[i][tx];  // expect: shared load 1-way
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(N * K, 2);

  // Written against the bare runtime, as much host code is.
  float *A = nullptr, *B = nullptr, *C = nullptr;
  CUDA_CHECK(cudaMalloc((void **)&A, M * K * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&B, N * K * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&C, M * N * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(A, a.data(), M * K * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(B, b.data(), N * K * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(C, 0, M * N * sizeof(float)));

  const int blocks_x = (N + TILE - 1) / TILE, blocks_y = (M + TILE - 1) / TILE;
  gemm_transposed_store<<<dim3(blocks_x, blocks_y), dim3(TILE, TILE)>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();

  std::vector<float> c(M * N);
  CUDA_CHECK(cudaMemcpy(c.data(), C, M * N * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(A));
  CUDA_CHECK(cudaFree(B));
  CUDA_CHECK(cudaFree(C));
  const bool ok = catalogue::compare_gemm("gemm_transposed_store", a, b, c, M, N, K, catalogue::Layout::NK);
  return catalogue::report("gemm_transposed_store", ok);
}
