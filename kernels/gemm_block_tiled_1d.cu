// gemm_block_tiled_1d: each thread computes 8 elements of one column of C, so that a value
// of Bs is used 8 times from a register. Tiles 64x8 and 8x64, 512 threads in a row.
//
// A warp has one `group`, 32 neighbouring columns (64 columns, two warps a group).
//   A[..]: 8 lanes a row of the tile, 32 bytes of each of 4 rows K*4 bytes apart: 4 sectors
//     in 4 tags a request; not on one line, yet every byte of its sectors is used
//   B[..]: 32 consecutive floats: 4 sectors, 1 tag
//   stores to As, Bs: word = thread: 1-way, 1 wavefront
//   loads Bs[i*64 + col]: 32 consecutive words: 1-way, 8 requests a step
//   loads As[(8*group + r)*8 + i]: one word for all lanes. With both loops unrolled, i to
//     i + 3 are one 128-bit load (16-byte aligned): 16 requests a step, not 64, each a
//     broadcast of 2 wavefronts
//   stores of C: 32 consecutive floats: 4 sectors, 8 requests a warp
//
// Whole launch at 1024: 256 blocks of 16 warps, 128 steps of k0 = 524,288 warp-steps.
//   loads of A and of B: 524,288 requests, 2,097,152 sectors each
//   stores to As and to Bs: 524,288 requests and wavefronts each
//   loads of As: 8,388,608 requests, 16,777,216 wavefronts
//   loads of Bs: 4,194,304 requests and wavefronts
//   stores of C: 32,768 requests, 131,072 sectors
//
// The operand that is kept in a register should be the one that costs a request of its own
// for every use; here the broadcast operand As still accounts for four fifths of the
// wavefronts of the inner loop.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 64, BN = 64, BK = 8;    // the block's tiles
constexpr int TM = 8;                      // rows of C a thread
constexpr int THREADS = BM * BN / TM;      // 512
static_assert(BM * BK == THREADS && BK * BN == THREADS, "one element of each tile a thread");

__global__ void __launch_bounds__(THREADS)
    gemm_block_tiled_1d(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int m, int n,
                        int k) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];

  const int thread = threadIdx.x;
  const int col = thread % BN, group = thread / BN;    // what it computes: TM rows of one column
  const int a_row = thread / BK, a_col = thread % BK;  // what it loads
  const int b_row = thread / BN, b_col = thread % BN;

  const int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;
  float sum[TM] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    const bool a_inside = first_row + a_row < m && k0 + a_col < k;
    const bool b_inside = k0 + b_row < k && first_col + b_col < n;
    As[a_row * BK + a_col] = a_inside ? A[(first_row + a_row) * k + k0 + a_col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    Bs[b_row * BN + b_col] = b_inside ? B[(k0 + b_row) * n + first_col + b_col] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    __syncthreads();

    for (int i = 0; i < BK; ++i) {
      const float b = Bs[i * BN + col];                                            // expect: shared load 1-way
      for (int r = 0; r < TM; ++r) sum[r] += As[(group * TM + r) * BK + i] * b;  // expect: shared load 1-way
    }
    __syncthreads();
  }
  for (int r = 0; r < TM; ++r) {
    const int row = first_row + group * TM + r;
    if (row < m && first_col + col < n) C[row * n + first_col + col] = sum[r];  // expect: global store 4 sectors/request
  }
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const dim3 grid(catalogue::ceil_div(N, BN), catalogue::ceil_div(M, BM));
  gemm_block_tiled_1d<<<grid, THREADS>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_block_tiled_1d", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_block_tiled_1d", ok);
}
