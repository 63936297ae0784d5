// Adjacent words of a loop of known length that cicc unrolls in part. Down an array, ptxas merges them if an even number of its iterations is left; of an odd one, a rest of them alone or nothing: by
// machine code `down_by_odd` has one LDS.128 and 96 loads of a word. Where an index is put together from bits, LLVM loses that what is added to it leads to neighbours, and nvcc does not: `rows` has
// 21 LDS.128.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void down_by_odd(const float *in, float *out) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += 128) s[i] = in[i];
  __syncthreads();
  float n = 0, c = in[threadIdx.x];
  for (int j = 99; j >= 0; --j)
    n += __clz((int)(s[j] * c));
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}down_by_odd
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 128 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void down_by_even(const float *in, float *out) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += 128) s[i] = in[i];
  __syncthreads();
  float n = 0, c = in[threadIdx.x];
  for (int j = 127; j >= 0; --j)
    n += __clz((int)(s[j] * c));
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}down_by_even
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 128 {{ *}}128 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1)
__global__ void up_by_odd(const float *in, float *out) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += 128) s[i] = in[i];
  __syncthreads();
  float n = 0, c = in[threadIdx.x];
  for (int j = 0; j < 100; ++j)
    n += __clz((int)(s[j] * c));
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}up_by_odd
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 128 {{ *}}100 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1)
__global__ void rows(const float *in, float *out) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += 128) s[i] = in[i];
  __syncthreads();
  float n = 0, c = in[threadIdx.x];
  for (int j = 0; j < 84; ++j)
    n = fmaf(s[(threadIdx.x & 31) * 256 + j], c, n);
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}rows
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void rows_of_scattered_words(const float *in, float *out) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += 128) s[i] = in[i];
  __syncthreads();
  float n = 0, c = in[threadIdx.x];
  for (int j = 0; j < 84; ++j)
    n = fmaf(s[(threadIdx.x & 31) * 512 + j * 5], c, n);
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}rows_of_scattered_words
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 32 {{ *}}336 {{.*}}exact
}

// A body too large for cicc to unroll, and for ptxas where it does not know how often it runs: by machine code two LDS.128 for the first, eight words for the second.
// smem-lint: launch block=(128) grid=(1)
__global__ void large_body(const float *in, float *out) {
  __shared__ float s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = in[threadIdx.x];
  for (int j = 0; j < 8; ++j) {
    n += c * s[j];
    // CHECK-LABEL: {{^}}large_body
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}assumed
    n = n * c + 3.f;
    n = n * c + 4.f;
    n = n * c + 5.f;
    n = n * c + 6.f;
    n = n * c + 7.f;
    n = n * c + 8.f;
    n = n * c + 9.f;
    n = n * c + 10.f;
    n = n * c + 11.f;
    n = n * c + 12.f;
    n = n * c + 13.f;
    n = n * c + 14.f;
    n = n * c + 15.f;
    n = n * c + 16.f;
    n = n * c + 17.f;
    n = n * c + 18.f;
    n = n * c + 19.f;
    n = n * c + 20.f;
    n = n * c + 21.f;
    n = n * c + 22.f;
    n = n * c + 23.f;
    n = n * c + 24.f;
    n = n * c + 25.f;
    n = n * c + 26.f;
    n = n * c + 27.f;
    n = n * c + 28.f;
    n = n * c + 29.f;
    n = n * c + 30.f;
    n = n * c + 31.f;
    n = n * c + 32.f;
    n = n * c + 33.f;
    n = n * c + 34.f;
    n = n * c + 35.f;
    n = n * c + 36.f;
    n = n * c + 37.f;
    n = n * c + 38.f;
    n = n * c + 39.f;
    n = n * c + 40.f;
    n = n * c + 41.f;
    n = n * c + 42.f;
    n = n * c + 43.f;
    n = n * c + 44.f;
    n = n * c + 45.f;
    n = n * c + 46.f;
    n = n * c + 47.f;
    n = n * c + 48.f;
    n = n * c + 49.f;
    n = n * c + 50.f;
    n = n * c + 51.f;
    n = n * c + 52.f;
  }
  out[threadIdx.x] = n;
}

// smem-lint: launch block=(128) grid=(1) n0=8
__global__ void large_body_of_unknown_length(const float *in, float *out, int n0) {
  __shared__ float s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = in[threadIdx.x];
  for (int j = 0; j < n0; ++j) {
    n += c * s[j];
    // CHECK-LABEL: {{^}}large_body_of_unknown_length
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{ *}}32 {{.*}}exact
    n = n * c + 3.f;
    n = n * c + 4.f;
    n = n * c + 5.f;
    n = n * c + 6.f;
    n = n * c + 7.f;
    n = n * c + 8.f;
    n = n * c + 9.f;
    n = n * c + 10.f;
    n = n * c + 11.f;
    n = n * c + 12.f;
    n = n * c + 13.f;
    n = n * c + 14.f;
    n = n * c + 15.f;
    n = n * c + 16.f;
    n = n * c + 17.f;
    n = n * c + 18.f;
    n = n * c + 19.f;
    n = n * c + 20.f;
    n = n * c + 21.f;
    n = n * c + 22.f;
    n = n * c + 23.f;
    n = n * c + 24.f;
    n = n * c + 25.f;
    n = n * c + 26.f;
    n = n * c + 27.f;
    n = n * c + 28.f;
    n = n * c + 29.f;
    n = n * c + 30.f;
    n = n * c + 31.f;
    n = n * c + 32.f;
    n = n * c + 33.f;
    n = n * c + 34.f;
    n = n * c + 35.f;
    n = n * c + 36.f;
    n = n * c + 37.f;
    n = n * c + 38.f;
    n = n * c + 39.f;
    n = n * c + 40.f;
    n = n * c + 41.f;
    n = n * c + 42.f;
    n = n * c + 43.f;
    n = n * c + 44.f;
    n = n * c + 45.f;
    n = n * c + 46.f;
    n = n * c + 47.f;
    n = n * c + 48.f;
    n = n * c + 49.f;
    n = n * c + 50.f;
    n = n * c + 51.f;
    n = n * c + 52.f;
  }
  out[threadIdx.x] = n;
}

// Stores of words from the second of a window on meet those of the next iterations, as loads do: with four iterations at a time ptxas unrolls once more, by machine code `stores_from_the_second` has 5 STS.128.
// smem-lint: launch block=(128) grid=(1) n=30
__global__ void stores_from_the_second(const float *in, float *out, int n) {
  __shared__ float s[2048];
  const float v = in[threadIdx.x];
  for (int j = 1; j < n; ++j)
    s[4 * threadIdx.x + j] = v;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
  // CHECK-LABEL: {{^}}stores_from_the_second
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}assumed
}

// smem-lint: launch block=(64) grid=(1)
__global__ void stores_of_a_known_length(const float *in, float *out) {
  __shared__ float s[6400];
  const float v = in[threadIdx.x];
  for (int j = 1; j < 100; ++j)
    s[100 * threadIdx.x + j] = v + j;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
  // CHECK-LABEL: {{^}}stores_of_a_known_length
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void stores_of_an_odd_pitch(const float *in, float *out) {
  __shared__ float s[128][33];
  const float v = in[threadIdx.x];
  for (int j = 1; j < 30; ++j)
    s[threadIdx.x][j] = v + j;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x][3];
  // CHECK-LABEL: {{^}}stores_of_an_odd_pitch
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}exact
}
