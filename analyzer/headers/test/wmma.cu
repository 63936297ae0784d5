// Tensor core fragments of every element type.
#include <mma.h>

using namespace nvcuda;

__global__ void halves(const half *a, const half *b, float *c, int k) {
  __shared__ half tile[64][40];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < k; i += 16) {
    tile[threadIdx.x][i & 31] = a[i];
    __syncthreads();
    wmma::load_matrix_sync(fa, a + i, k);
    wmma::load_matrix_sync(fb, &tile[16][0], 40);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(c, fc, k, wmma::mem_row_major);
}

template <typename T, typename Acc, int M, int N, int K, typename Memory>
__device__ void multiply(const Memory *a, const Memory *b, Acc *c) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, K);
  wmma::load_matrix_sync(fb, b, K);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, N, wmma::mem_col_major);
}

__global__ void others(signed char *s, int *i, __nv_bfloat16 *h, float *f, double *d) {
#if __CUDA_ARCH__ >= 750
  multiply<signed char, int, 16, 16, 16>(s, s, i);
  multiply<signed char, int, 32, 8, 16>(s, s, i);
#endif
#if __CUDA_ARCH__ >= 800
  multiply<__nv_bfloat16, float, 8, 32, 16>(h, h, f);
  multiply<wmma::precision::tf32, float, 16, 16, 8>(f, f, f);
  multiply<double, double, 8, 8, 4>(d, d, d);
#endif
}
