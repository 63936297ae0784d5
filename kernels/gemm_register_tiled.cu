// gemm_register_tiled: 64x64 tiles of C, 4x4 elements a thread in registers, the tile of A
// transposed in shared memory, no padding.
//
// A warp is two rows of the 16x16 block: ty takes two neighbouring values, tx = lane % 16.
// The cooperative loads count threads linearly, 64 elements a row of the tile:
//   A[(first_row + r)*k + ..]: r = lane (or lane + 32), so lanes are K*4 bytes apart: 32
//     sectors and 32 tags a request; ideal 4
//   B[(k0 + i)*n + ..]: 32 consecutive floats: 4 sectors, 1 tag
//   stores As[i][r], Bs[i][c]: 32 consecutive words: 1-way, 1 wavefront
// The inner loop: four neighbouring floats whose first is 16-byte aligned (rows of 64
// floats, 4*ty and 4*tx): each run of four becomes one 128-bit load, though the arrays are
// declared as plain floats and PTX still shows four loads.
//   loads As[i][4*ty ..]: two distinct 16-byte pieces, each for one half-warp: 1-way
//   loads Bs[i][4*tx ..]: 16 lanes cover 256 consecutive bytes, the other 16 the same ones:
//     each quarter-warp covers all 32 banks once: 1-way
//   stores of C: four lanes' worth of column distance between lanes' floats makes one sector
//     a lane pair: tx*16 bytes: 8 sectors a row, two rows (4*N*4 bytes apart): 16 sectors a
//     request, ideal 4; four requests refill the same sectors. The addresses are not known
//     to be 16-byte aligned (n is a run-time number), so these stores are not merged.
//
// Whole launch at 1024: 256 blocks of 8 warps, 64 steps of k0 = 131,072 warp-steps.
//   loads of A: 4 requests a step =   524,288 requests, 16,777,216 sectors (ideal 2,097,152)
//   loads of B: 4 requests a step =   524,288 requests,  2,097,152 sectors
//   stores to As and to Bs: 524,288 requests and wavefronts each
//   loads of As and of Bs: 16 requests a step = 2,097,152 requests each, no bank conflict
//   stores of C: 16 requests a warp = 32,768 requests, 524,288 sectors (ideal 131,072)
//
// Claims that do not hold:
//   "As is transposed for coalesced loads": the transposition makes the loads of As in the
//     inner loop contiguous; the loads of A from global memory are what it spoils, since
//     consecutive lanes now take consecutive rows.
//   "Unpadded, four neighbouring floats a thread make a conflict": 32-bit loads at a stride
//     of four words would be 2-way over the 16 distinct lanes, but no such load is left.
//     gemm_register_tiled_padded shows that the odd pitch brings the conflict in.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;

constexpr int BM = 64, BN = 64, BK = 16;         // the block's tiles
constexpr int TM = 4, TN = 4;                    // the thread's tile of C
constexpr int THREADS = (BM / TM) * (BN / TN);  // 256

__global__ void gemm_register_tiled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                    int m, int n, int k) {
  __shared__ float As[BK][BM];  // transposed: As[k][row]
  __shared__ float Bs[BK][BN];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * (BN / TN) + tx;
  const int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int step = 0; step < BK * BM / THREADS; ++step) {
      const int at = step * THREADS + thread, i = at / BM, r = at % BM;
      const bool inside = first_row + r < m && k0 + i < k;
      As[i][r] = inside ? A[(first_row + r) * k + k0 + i] : 0.0f;  // expect: global load 32 sectors/request; shared store 1-way
    }
    for (int step = 0; step < BK * BN / THREADS; ++step) {
      const int at = step * THREADS + thread, i = at / BN, c = at % BN;
      const bool inside = k0 + i < k && first_col + c < n;
      Bs[i][c] = inside ? B[(k0 + i) * n + first_col + c] : 0.0f;  // expect: global load 4 sectors/request; shared store 1-way
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < BK; ++i) {
      float a[TM], b[TN];
#pragma unroll
      for (int r = 0; r < TM; ++r) a[r] = As[i][ty * TM + r];  // expect: shared load 1-way
#pragma unroll
      for (int c = 0; c < TN; ++c) b[c] = Bs[i][tx * TN + c];  // expect: shared load 1-way
#pragma unroll
      for (int r = 0; r < TM; ++r)
#pragma unroll
        for (int c = 0; c < TN; ++c) sum[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }

  for (int r = 0; r < TM; ++r) {
    for (int c = 0; c < TN; ++c) {
      const int row = first_row + ty * TM + r, col = first_col + tx * TN + c;
      if (row < m && col < n) C[row * n + col] = sum[r][c];  // expect: global store 16 sectors/request
    }
  }
}

void launch_gemm(const float *A, const float *B, float *C, int m, int n, int k) {
  const dim3 block(BN / TN, BM / TM);
  const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
  gemm_register_tiled<<<grid, block>>>(A, B, C, m, n, k);
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(K * N, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);
  launch_gemm(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("gemm_register_tiled", a, b, C.download(), M, N, K);
  return catalogue::report("gemm_register_tiled", ok);
}
