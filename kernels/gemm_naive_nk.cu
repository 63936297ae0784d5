// gemm_naive_nk: the naive kernel for C = A * B^T, with B stored (N,K): both operands have
// the summed dimension contiguous, one thread an element, no shared memory.
//
// A warp is one row of the 32x32 block: row is the same in all lanes, col is consecutive.
//   A[row*k + i]  one word: 1 sector a request
//   B[col*k + i]  lanes K*4 = 4096 bytes apart: 32 sectors and 32 tags a request, of which
//                 each sector yields 4 bytes of its 32
//   C[row*n+col]  32 consecutive floats: 4 sectors, 1 tag
//
// Whole launch at 1024: 32,768 warps, 1024 iterations each.
//   loads of A: 33,554,432 requests and sectors
//   loads of B: 33,554,432 requests, 1,073,741,824 sectors (ideal 134,217,728)
//   stores of C: 32,768 requests, 131,072 sectors
//
// "Contiguous along K, so the loop over K reads contiguously" is the trap: contiguity
// counts across the lanes of one request, and there the stride is K. That the request
// breaks into 32 pieces is right; that the kernel has "one operation an element of
// intensity" says nothing about it, since the coalesced variant has the same intensity.
#include "catalogue.h"

#ifndef GEMM_SIZE
#define GEMM_SIZE 1024
#endif
constexpr int M = GEMM_SIZE, N = GEMM_SIZE, K = GEMM_SIZE;
constexpr int kBlock = 32;

__global__ void gemm_naive_nk(const float *A, const float *B, float *C, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    const float a = A[row * k + i];  // expect: global load 1 sectors/request
    const float b = B[col * k + i];  // expect: global load 32 sectors/request
    sum += a * b;
  }
  C[row * n + col] = sum;  // expect: global store 4 sectors/request
}

int main() {
  const auto a = catalogue::random_values<float>(M * K, 1), b = catalogue::random_values<float>(N * K, 2);
  catalogue::Device<float> A(a), B(b), C(M * N);

  dim3 block(kBlock, kBlock);
  dim3 grid(catalogue::ceil_div(N, kBlock), catalogue::ceil_div(M, kBlock));
  gemm_naive_nk<<<grid, block>>>(A, B, C, M, N, K);
  CHECK_LAUNCH();
  const bool ok =
      catalogue::compare_gemm("gemm_naive_nk", a, b, C.download(), M, N, K, catalogue::Layout::NK);
  return catalogue::report("gemm_naive_nk", ok);
}
