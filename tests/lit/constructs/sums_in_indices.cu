// An index that is the sum of three variable terms tells cicc less of its alignment than LLVM 19: of four neighbours that are loaded and stored in turn it merges some. Where ptxas can merge them by
// itself, or each term counts rows of 16 bytes and more, it makes no difference. PTX, CUDA 13.0, sm_90: five of 17 indices are merged in part. Machine code of these: LDS.64, LDS, LDS and four STS
// where LLVM has LDS.128 and STS.128.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32,4) grid=(1) e=1
__global__ void four_terms(float *out, float m, int e) {
  __shared__ __align__(16) float s[8192];
  const int q = threadIdx.x, p = threadIdx.y;
  for (int k = 0; k < 4; k++)
    s[e * 512 + p * 64 + (q / 8) * 16 + q % 4 * 4 + k] = s[e * 512 + p * 64 + (q / 8) * 16 + q % 4 * 4 + k] - m; // load 32 assumed
  __syncthreads();
  out[q] = s[q];
}
// CHECK: four_terms grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32,4) grid=(1) e=1
__global__ void only_loaded(float *out, float m, int e) {
  __shared__ __align__(16) float s[8192];
  const int q = threadIdx.x, p = threadIdx.y;
  for (int k = q; k < 8192; k += 32)
    s[k] = m;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; k++)
    sum += s[e * 512 + p * 64 + q * 4 + k] * k; // load 128 exact
  out[q] = sum;
}
// CHECK: only_loaded grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 128 {{.*}}exact

// smem-lint: launch block=(32,4) grid=(1) e=1
__global__ void an_index_each(float *out, float m, int e) {
  __shared__ __align__(16) float s[4][16][128];
  const int q = threadIdx.x, p = threadIdx.y;
  for (int k = 0; k < 4; k++)
    s[e][p][q * 4 + k] = s[e][p][q * 4 + k] - m; // store 128 exact
  __syncthreads();
  out[q] = s[0][0][q];
}
// CHECK: an_index_each grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 128 {{.*}}exact

// smem-lint: launch block=(32) grid=(1) n=32 d=64 dynamic=32768
__global__ void behind_an_offset(float *out, float m, int n, int d) {
  extern __shared__ float whole[];
  float *s = whole + 32 * d;
  const int q = threadIdx.x;
  s[q] = m;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++) {
    s[q * 32 + k] = s[q * 32 + k] - m; // load 32 assumed
    sum += s[q * 32 + k];
  }
  out[q] = sum;
}
// CHECK: behind_an_offset grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(32,4) grid=(1)
__global__ void two_terms(float *out, float m) {
  __shared__ __align__(16) float s[8192];
  const int q = threadIdx.x, p = threadIdx.y;
  for (int k = 0; k < 4; k++)
    s[p * 64 + q % 16 * 4 + k] = s[p * 64 + q % 16 * 4 + k] - m; // store 128 exact
  __syncthreads();
  out[q] = s[q];
}
// CHECK: two_terms grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 128 {{.*}}exact

// Rows of less than 16 bytes: their index decides the alignment, too.
// smem-lint: launch block=(32,4) grid=(1) e=1
__global__ void narrow_rows(float *out, float m, int e) {
  __shared__ __align__(16) float s[4096][2];
  const int q = threadIdx.x, p = threadIdx.y;
  for (int k = 0; k < 4; k++)
    s[e * 256 + p * 32 + (q / 8) * 8 + q % 4 * 2 + k / 2][k % 2] -= m; // store 32 assumed
  __syncthreads();
  out[q] = s[q][1];
}
// CHECK: narrow_rows grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}store 32 {{.*}}assumed
