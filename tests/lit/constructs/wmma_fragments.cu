// Fragments of wmma: ldmatrix for 16- and 8-bit operands that lie right in shared memory, else words or elements by lane.
// RUN: not %lint %s | FileCheck %s
#include <cuda_fp16.h>
#include <mma.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void fragments(const signed char *bytes, const float *floats, float *out) {
  using namespace nvcuda;
  __shared__ __align__(128) __half halves[16 * 40];
  __shared__ __align__(128) float sums[16 * 20];
  for (int i = threadIdx.x; i < 16 * 40; i += 32) halves[i] = __float2half(0.0f);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::load_matrix_sync(a, halves, 40);
  wmma::load_matrix_sync(b, halves, 32);
  wmma::load_matrix_sync(c, floats, 64, wmma::mem_col_major);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(sums, c, 20, wmma::mem_row_major);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> d;
  wmma::load_matrix_sync(d, bytes, 32);
  out[threadIdx.x] = sums[threadIdx.x] + d.x[0];
}
// CHECK: 16:3  wmma::load_matrix_sync(a, halves, 40) {{ *}}ldmatrix x4 {{ *}}1 {{ *}}4 {{ *}}4 {{ *}}-  exact
// CHECK: 17:3  wmma::load_matrix_sync(b, halves, 32) {{ *}}ldmatrix x4 {{ *}}1 {{ *}}16 {{ *}}4 {{ *}}4-way  exact
// CHECK: 20:3  wmma::store_matrix_sync{{.*}}store 64 {{ *}}4 {{ *}}16 {{ *}}8 {{ *}}2-way  exact
// CHECK: 18:3  wmma::load_matrix_sync(c{{.*}}load 32 {{ *}}8 {{ *}}32 {{ *}}32 {{ *}}32 {{.*}}exact
// CHECK: 23:3  wmma::load_matrix_sync(d{{.*}}load 8 {{ *}}8 {{ *}}32 {{ *}}8 {{ *}}32 {{.*}}exact
