// gemm_wmma: Tensor Core product through wmma. FP32 operands are rounded to FP16 on their
// way into shared memory, 16x16x16 fragments are read from there, sums stay FP32. Sizes
// that are not multiples of 16 go to an ordinary kernel.
//
// 32x32 tiles of C and 32 deep, 4 warps of one 16x16 fragment each. PITCH is the length of
// a tile row in halves, 32 without and 40 with padding.
//   loads of A and B in gemm_wmma: a warp takes a row of 32 floats: 4 sectors, 1 tag
//   stores to As, Bs: 32 neighbouring halves are 16 words of two lanes each; lanes that
//     write different parts of one word do not conflict: 1-way, 1 wavefront
//   fragment loads become one ldmatrix of four 8x8 pieces: four phases of eight 16-byte rows
//     PITCH 32: rows 64 bytes apart, rows 0, 2, 4, 6 start in one bank: 4-way, 16
//       wavefronts a request against an ideal of 4; for A and for B alike
//     PITCH 40: rows 80 bytes apart start in banks 0, 20, 8, 28, 16, 4, 24, 12: 1-way, 4
//   fragment store to C: each lane holds pairs of neighbouring floats; four lanes make 32
//     bytes of a row, 8 rows: 8 sectors a 64-bit request, ideal
//
// expect gemm_wmma<32>: shared matrix_load 4-way
// expect gemm_wmma<40>: shared matrix_load 1-way
//
// Each launch of gemm_wmma at 1024: 1,024 blocks of 4 warps, 32 tiles = 131,072 warp-tiles.
//   loads of A and of B: 8 requests a tile = 1,048,576 requests, 4,194,304 sectors each
//   stores to As and to Bs: 1,048,576 requests and wavefronts each
//   fragment loads: 2 of A and 2 of B a tile = 262,144 requests each; 4,194,304 wavefronts
//     each at PITCH 32, 1,048,576 at PITCH 40
//   fragment stores: 4 requests a warp = 16,384 requests, 131,072 sectors
// gemm_wmma_fallback at 1000: 31 full warps and one of 8 lanes a row of C; 32,000 warps.
//   loads of A: 32,000,000 requests and sectors (broadcast)
//   loads of B: 32,000,000 requests, (31 x 4 + 1)/32 = 3.90625 sectors each: 125,000,000
//   stores of C: 32,000 requests, 125,000 sectors
//
// A staging store of two halves a lane would let a warp write two rows at once. Unpadded
// that is 128 contiguous bytes, 1-way; at PITCH 40 the rows overlap in four banks, 2-way:
// the padding that frees the reads costs such a store. One row a request, as here, does not.
#include <cuda_fp16.h>
#include <mma.h>

#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int UNALIGNED = 1000;  // not a multiple of 16
constexpr int TILE = 32, FRAGMENT = 16;
constexpr int WARPS = (TILE / FRAGMENT) * (TILE / FRAGMENT);

// m, n and k must be multiples of 16: a fragment is then inside C or outside, never across.
template <int PITCH>
__global__ void __launch_bounds__(WARPS * 32) gemm_wmma(const float *A, const float *B, float *C, int m, int n, int k) {
  namespace wmma = nvcuda::wmma;
  __shared__ __align__(32) __half As[TILE][PITCH];
  __shared__ __align__(32) __half Bs[TILE][PITCH];

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  const int row = warp / 2 * FRAGMENT, col = warp % 2 * FRAGMENT;

  wmma::fragment<wmma::accumulator, FRAGMENT, FRAGMENT, FRAGMENT, float> sum;
  wmma::fill_fragment(sum, 0.0f);

  for (int k0 = 0; k0 < k; k0 += TILE) {
    for (int r = warp; r < TILE; r += WARPS) {
      const bool a_inside = first_row + r < m && k0 + lane < k;
      const bool b_inside = k0 + r < k && first_col + lane < n;
      const float a = a_inside ? A[(first_row + r) * k + k0 + lane] : 0.0f;    // expect: global load 4 sectors/request
      const float b = b_inside ? B[(k0 + r) * n + first_col + lane] : 0.0f;    // expect: global load 4 sectors/request
      As[r][lane] = __float2half(a);                                           // expect: shared store 1-way
      Bs[r][lane] = __float2half(b);                                           // expect: shared store 1-way
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE; i += FRAGMENT) {
      wmma::fragment<wmma::matrix_a, FRAGMENT, FRAGMENT, FRAGMENT, __half, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, FRAGMENT, FRAGMENT, FRAGMENT, __half, wmma::row_major> b;
      wmma::load_matrix_sync(a, &As[row][i], PITCH);
      wmma::load_matrix_sync(b, &Bs[i][col], PITCH);
      wmma::mma_sync(sum, a, b, sum);
    }
    __syncthreads();
  }
  if (first_row + row < m && first_col + col < n)
    wmma::store_matrix_sync(C + (first_row + row) * n + first_col + col, sum, n, wmma::mem_row_major);  // expect: global store 8 sectors/request
}

__global__ void gemm_wmma_fallback(const float *A, const float *B, float *C, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    const float a = __half2float(__float2half(A[row * k + i]));  // expect: global load 1 sectors/request
    const float b = __half2float(__float2half(B[i * n + col]));  // expect: global load 3.90625 sectors/request
    sum += a * b;
  }
  C[row * n + col] = sum;  // expect: global store 3.90625 sectors/request
}

// The guard: Tensor Cores where the sizes allow it.
template <int PITCH>
void launch_gemm(const float *A, const float *B, float *C, int m, int n, int k) {
  if (m % FRAGMENT == 0 && n % FRAGMENT == 0 && k % FRAGMENT == 0) {
    dim3 grid(catalogue::ceil_div(n, TILE), catalogue::ceil_div(m, TILE));
    gemm_wmma<PITCH><<<grid, WARPS * 32>>>(A, B, C, m, n, k);
  } else {
    dim3 block(32, 8);
    dim3 grid(catalogue::ceil_div(n, 32), catalogue::ceil_div(m, 8));
    gemm_wmma_fallback<<<grid, block>>>(A, B, C, m, n, k);
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  launch_gemm<32>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  bool ok = catalogue::compare_gemm("gemm_wmma<32>", a, b, C.download(), M, N, K);

  C.clear();
  launch_gemm<40>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_wmma<40>", a, b, C.download(), M, N, K);

  constexpr int U = UNALIGNED;
  const auto a2 = catalogue::random_values<float>(U * U, 3), b2 = catalogue::random_values<float>(U * U, 4);
  catalogue::Device<float> A2(a2), B2(b2), C2(U * U);
  launch_gemm<40>(A2, B2, C2, U, U, U);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_wmma_fallback", a2, b2, C2.download(), U, U, U);
  return catalogue::report("gemm_wmma", ok);
}
