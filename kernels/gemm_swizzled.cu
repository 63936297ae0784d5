// gemm_swizzled: the tiled kernel for B stored (N,K), the tile of B transposed when stored
// and its columns permuted by XOR with the row: no conflict in either direction and no
// padding.
//
// A warp is one row of the 32x32 block: ty is the same in all lanes, tx = lane.
//   loads of A, B and the store of C: 32 consecutive floats: 4 sectors, 1 tag a request
//   store As[ty][tx]: 1-way, 1 wavefront
//   store Bs[at(tx, ty)]: word 32*lane + (ty ^ lane), bank ty ^ lane. XOR with a constant
//     permutes 0..31, so all banks differ: 1-way, 1 wavefront
//   loads Bs[at(i, tx)]: word 32*i + (lane ^ i), bank lane ^ i: the same argument, 1-way,
//     32 requests a tile
//   loads As[ty][i]: broadcast, merged to 8 128-bit requests a tile of 2 wavefronts
//
// Whole launch at 1024: 32,768 warps, 32 tiles each = 1,048,576 warp-tiles.
//   loads of A and of B: 1,048,576 requests, 4,194,304 sectors each
//   stores to As and to Bs: 1,048,576 requests and wavefronts each
//   loads of As: 8,388,608 requests, 16,777,216 wavefronts
//   loads of Bs: 33,554,432 requests and wavefronts
//   stores of C: 32,768 requests, 131,072 sectors
// which is gemm_tiled's bill, for the other layout of B.
//
// The conflict-free claim holds. The usual macro form, row * TILE + (col ^ row) without
// parentheses around its arguments, breaks for an argument like `i + 1`; a function does
// not.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int TILE = 32;

__device__ __forceinline__ int swizzled(int row, int col) { return row * TILE + (col ^ row); }

__global__ void gemm_swizzled(const float *A, const float *B, float *C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE * TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int b_row = blockIdx.x * TILE + ty;

  float sum = 0.0f;
  for (int tile = 0; tile < (k + TILE - 1) / TILE; ++tile) {
    const int at = tile * TILE + tx;
    As[ty][tx] = (row < m && at < k) ? A[row * k + at] : 0.0f;                // expect: global load 4 sectors/request; shared store 1-way
    Bs[swizzled(tx, ty)] = (b_row < n && at < k) ? B[b_row * k + at] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

    for (int i = 0; i < TILE; ++i) sum += As[ty][i] * Bs[swizzled(i, tx)];  // expect: shared load 1-way
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

static void launch(const float *A, const float *B, float *C, int m, int n, int k) {
  const dim3 threads(TILE, TILE);
  const dim3 blocks(catalogue::ceil_div(n, TILE), catalogue::ceil_div(m, TILE));
  gemm_swizzled<<<blocks, threads>>>(A, B, C, m, n, k);
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(N * K, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);
  launch(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok =
      catalogue::compare_gemm("gemm_swizzled", a, b, C.download(), M, N, K, catalogue::Layout::NK);
  return catalogue::report("gemm_swizzled", ok);
}
