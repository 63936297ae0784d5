// A warp tile on the Tensor Cores by hand: ldmatrix for both operands, mma.m16n8k16, fp16 in, fp32 out. C (1,024 x 256) =
// A (1,024 x 64) * B (64 x 256), all row-major; a block computes 64 x 16, each of its 4 warps 16 x 16. The shared rows are padded.
//
//   A tile, pitch 72 halves = 36 words. ldmatrix: 8 rows, banks 36 r mod 32 = 4 r, four each: all banks once: 1-way, 4
//     wavefronts. Store: a quarter-warp is one row of 8 chunks, 32 consecutive words: 1-way, 4 wavefronts.
//   B tile, pitch 24 halves = 12 words. ldmatrix.trans: 8 rows, banks 12 r = 0, 12, 24, 4, 16, 28, 8, 20, four each: all banks
//     once: 1-way, 4 wavefronts. Store: a quarter-warp is four rows of two chunks: words 0..7, 12..19, 24..31, 36..43; the last
//     meets the first in banks 4..7: 2-way, 8 wavefronts. (A padding for the reads does not help the writes by itself.)
//   Global: A 512 consecutive bytes: 16 sectors. B 16 rows of 32 bytes: 16 sectors. C, 8 bytes a lane: 8 rows of 32 bytes:
//     8 sectors.
//
// Whole launch, grid (16, 16), 4 warps, 4 steps of 16 along k:
//   A tile: global load and shared store 4,096 requests, 65,536 sectors, 16,384 wavefronts
//   B tile: 1,024 requests, 16,384 sectors, 8,192 wavefronts (ideal 4,096)
//   ldmatrix: 4,096 requests and 16,384 wavefronts for each operand
//   C: four stores of 1,024 requests, 8,192 sectors each
#include <cuda_fp16.h>

#include "catalogue.h"

constexpr int kM = 1024, kN = 256, kK = 64;
constexpr int kBlockM = 64, kBlockN = 16;
constexpr int kPitchA = kK + 8, kPitchB = kBlockN + 8;

__device__ __forceinline__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void load_a(unsigned (&a)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address)  // expect: shared matrix_load 1-way
               : "memory");
}

__device__ __forceinline__ void load_b(unsigned (&b)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
               : "r"(address)  // expect: shared matrix_load 1-way
               : "memory");
}

__device__ __forceinline__ void multiply_add(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void warp_tile_ldmatrix(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c) {
  __shared__ __align__(16) __half as[kBlockM * kPitchA];
  __shared__ __align__(16) __half bs[kK * kPitchB];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int first_row = blockIdx.y * kBlockM, first_column = blockIdx.x * kBlockN;

  for (int i = t; i < kBlockM * kK / 8; i += 128) {
    const int row = i / (kK / 8), column = i % (kK / 8) * 8;
    *reinterpret_cast<uint4 *>(&as[row * kPitchA + column]) = *reinterpret_cast<const uint4 *>(&a[(first_row + row) * kK + column]);  // expect: global load 16 sectors/request; shared store 1-way
  }
  {
    const int row = t / 2, column = t % 2 * 8;
    *reinterpret_cast<uint4 *>(&bs[row * kPitchB + column]) = *reinterpret_cast<const uint4 *>(&b[row * kN + first_column + column]);  // expect: global load 16 sectors/request; shared store 2-way
  }
  __syncthreads();

  float left[4] = {0, 0, 0, 0}, right[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < kK; k += 16) {
    unsigned fragment_a[4], fragment_b[4];
    load_a(fragment_a, shared_address(&as[(warp * 16 + lane % 16) * kPitchA + k + lane / 16 * 8]));
    load_b(fragment_b, shared_address(&bs[(k + lane % 16) * kPitchB + lane / 16 * 8]));
    multiply_add(left, fragment_a, fragment_b[0], fragment_b[1]);
    multiply_add(right, fragment_a, fragment_b[2], fragment_b[3]);
  }

  float *corner = c + (first_row + warp * 16 + lane / 4) * kN + first_column + lane % 4 * 2;
  *reinterpret_cast<float2 *>(corner) = make_float2(left[0], left[1]);               // expect: global store 8 sectors/request
  *reinterpret_cast<float2 *>(corner + 8 * kN) = make_float2(left[2], left[3]);       // expect: global store 8 sectors/request
  *reinterpret_cast<float2 *>(corner + 8) = make_float2(right[0], right[1]);          // expect: global store 8 sectors/request
  *reinterpret_cast<float2 *>(corner + 8 * kN + 8) = make_float2(right[2], right[3]);  // expect: global store 8 sectors/request
}

int main() {
  const std::vector<__half> a = catalogue::random_values<__half>(kM * kK, 34), b = catalogue::random_values<__half>(kK * kN, 35);
  catalogue::Device<__half> d_a(a), d_b(b);
  catalogue::Device<float> d_c(kM * kN);
  const dim3 grid(kN / kBlockN, kM / kBlockM);
  warp_tile_ldmatrix<<<grid, 128>>>(d_a, d_b, d_c);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare_gemm("A * B", a, b, d_c.download(), kM, kN, kK);
  return catalogue::report("warp_tile_ldmatrix", ok);
}
