// gemm_register_tiled_padded: gemm_register_tiled with one padding column in both tiles, as
// is often recommended. It makes the kernel worse.
//
// A warp is two rows of the 16x16 block: ty takes two neighbouring values, tx = lane % 16.
// The cooperative loads count threads linearly, 64 elements a row of the tile:
//   A[(first_row + r)*k + ..]: lanes K*4 bytes apart: 32 sectors and 32 tags; ideal 4
//   B[(k0 + i)*n + ..]: 32 consecutive floats: 4 sectors, 1 tag
//   stores As[i][r], Bs[i][c]: 32 consecutive words: 1-way, 1 wavefront, as without padding
//   stores of C: 16 sectors a request, ideal 4, as without padding
//
// The loads of the inner loop start at word 65*i + 4*t, t being tx or ty.
// gemm_register_tiled_padded_rolled keeps the loop over i rolled: nothing is known of the
// alignment, every load stays 32-bit:
//   loads As[i][4*ty + r]: two words, four apart: 1-way, 1 wavefront, four requests
//   loads Bs[i][4*tx + c]: 16 different words four apart: tx and tx + 8 are 32 words apart
//     and meet in a bank: 2-way, 2 wavefronts, four requests. Lanes 16..31 ask for the
//     words of lanes 0..15 and add nothing
// gemm_register_tiled_padded unrolls it, so that each i has its own known alignment, i mod 4
// words past a multiple of 16 bytes, and the compiler covers the run of four accordingly:
//   i mod 4 == 0: one 128-bit load
//   i mod 4 == 1: one 128-bit load from a word early, and a 32-bit load of the last word
//   i mod 4 == 2: two 64-bit loads
//   i mod 4 == 3: a 32-bit load of the first word, and one 128-bit load a word too long
//   so 12 128-bit, 8 64-bit and 8 32-bit requests a step where 16 of 128 bits would do, and
//   72 words loaded for the 64 wanted. For As all are 1-way. For Bs the 128-bit ones are
//   1-way, the 32- and 64-bit ones 2-way as above (hence no single figure at that line).
//
// Whole launches at 1024: 256 blocks of 8 warps, 64 steps of k0 = 131,072 warp-steps.
//   loads of A: 524,288 requests, 16,777,216 sectors (ideal 2,097,152)
//   loads of B: 524,288 requests, 2,097,152 sectors
//   stores to As and to Bs: 524,288 requests and wavefronts each
//   rolled:   loads of As: 64 requests a step = 8,388,608 requests and wavefronts
//             loads of Bs: 8,388,608 requests, 16,777,216 wavefronts (ideal 8,388,608)
//   unrolled: loads of As and of Bs: 28 requests a step = 3,670,016 requests each
//   stores of C: 32,768 requests, 524,288 sectors (ideal 131,072)
// Against 2,097,152 requests each for As and Bs, all 1-way, without padding.
//
// Claims that do not hold: "padding by one removes the bank conflicts of the 64x64 tiles".
// There are none to remove; the odd pitch takes the alignment that 128-bit loads need and
// leaves narrower ones at a stride of four words. A pad of four floats would keep it.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 64, BN = 64, BK = 16;        // the block's tiles
constexpr int TM = 4, TN = 4;                   // the thread's tile of C
constexpr int THREADS = (BM / TM) * (BN / TN);  // 256
constexpr int PAD = 1;

struct Operands {
  const float *A, *B;
  int m, n, k;
};

__device__ __forceinline__ void load_tiles(const Operands &in, int k0, float (&As)[BK][BM + PAD],
                                           float (&Bs)[BK][BN + PAD]) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;
  for (int at = thread; at < BK * BM; at += THREADS) {
    const int i = at / BM, r = at % BM;
    const bool inside = first_row + r < in.m && k0 + i < in.k;
    As[i][r] = inside ? in.A[(first_row + r) * in.k + k0 + i] : 0.0f;  // expect: global load 32 sectors/request; shared store 1-way
  }
  for (int at = thread; at < BK * BN; at += THREADS) {
    const int i = at / BN, c = at % BN;
    const bool inside = k0 + i < in.k && first_col + c < in.n;
    Bs[i][c] = inside ? in.B[(k0 + i) * in.n + first_col + c] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
  }
}

__device__ __forceinline__ void store_tile(float *C, const float (&sum)[TM][TN], int m, int n) {
  for (int r = 0; r < TM; ++r) {
    for (int c = 0; c < TN; ++c) {
      const int row = blockIdx.y * BM + threadIdx.y * TM + r, col = blockIdx.x * BN + threadIdx.x * TN + c;
      if (row < m && col < n) C[row * n + col] = sum[r][c];  // expect: global store 16 sectors/request
    }
  }
}

__global__ void gemm_register_tiled_padded(Operands in, float *C) {
  __shared__ float As[BK][BM + PAD];
  __shared__ float Bs[BK][BN + PAD];

  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < in.k; k0 += BK) {
    load_tiles(in, k0, As, Bs);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < BK; ++i) {
      float a[TM], b[TN];
      for (int r = 0; r < TM; ++r) a[r] = As[i][ty * TM + r];  // expect: shared load 1-way
      for (int c = 0; c < TN; ++c) b[c] = Bs[i][tx * TN + c];
      for (int r = 0; r < TM; ++r)
        for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }
  store_tile(C, sum, in.m, in.n);
}

__global__ void gemm_register_tiled_padded_rolled(Operands in, float *C) {
  __shared__ float As[BK][BM + PAD];
  __shared__ float Bs[BK][BN + PAD];

  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < in.k; k0 += BK) {
    load_tiles(in, k0, As, Bs);
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < BK; ++i) {
      float a[TM], b[TN];
      for (int r = 0; r < TM; ++r) a[r] = As[i][ty * TM + r];  // expect: shared load 1-way
      for (int c = 0; c < TN; ++c) b[c] = Bs[i][tx * TN + c];  // expect: shared load 2-way
      for (int r = 0; r < TM; ++r)
        for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }
  store_tile(C, sum, in.m, in.n);
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  const Operands in{A, B, M, N, K};
  const dim3 block(BN / TN, BM / TM);
  const dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  gemm_register_tiled_padded<<<grid, block>>>(in, C);
  CHECK_LAUNCH();
  bool ok = catalogue::compare_gemm("gemm_register_tiled_padded", a, b, C.download(), M, N, K);

  C.clear();
  gemm_register_tiled_padded_rolled<<<grid, block>>>(in, C);
  CHECK_LAUNCH();
  ok &= catalogue::compare_gemm("gemm_register_tiled_padded_rolled", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_register_tiled_padded", ok);
}
