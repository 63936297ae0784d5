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
