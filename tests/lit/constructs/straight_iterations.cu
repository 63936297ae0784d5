// Loops of known length that cicc leaves as loops, or unrolls in part: ptxas makes straight code of them, or of their first or last iterations, and accesses of one address become one. Which loops,
// it decides by measures of its own: by machine code `one_before` has 64 loads, one of them the one before its loop, `two_passes` 64 for both loops, `in_a_vector` one load of the vector and
// the word, and `of_long_loops` merges in the iterations that are left over.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1)
__global__ void one_before(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = s[threadIdx.x + 15];
  for (int j = 0; j < 64; ++j) {
    const float v = s[threadIdx.x + j * 3];
    n += v > c ? v : c;
  }
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}one_before
  // CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void between_two_iterations(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = s[threadIdx.x + 16]; // three does not divide it
  for (int j = 0; j < 64; ++j) {
    const float v = s[threadIdx.x + j * 3];
    n += v > c ? v : c;
  }
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}between_two_iterations
  // CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{ *}}256 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1)
__global__ void past_the_end(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = s[threadIdx.x + 192];
  for (int j = 0; j < 64; ++j) {
    const float v = s[threadIdx.x + j * 3];
    n += v > c ? v : c;
  }
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}past_the_end
  // CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{ *}}256 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1)
__global__ void behind_a_barrier(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = s[threadIdx.x + 15];
  __syncthreads();
  for (int j = 0; j < 64; ++j) {
    const float v = s[threadIdx.x + j * 3];
    n += v > c ? v : c;
  }
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}behind_a_barrier
  // CHECK: {{^ *}}[[#@LINE-8]]:{{.*}}load 32 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{ *}}256 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1) n=64
__global__ void of_a_length_that_is_not_known(const float *in, float *out, int n) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  const float c = s[threadIdx.x + 15];
  for (int j = 0; j < n; ++j) {
    const float v = s[threadIdx.x + j * 3];
    sum += v > c ? v : c;
  }
  out[threadIdx.x] = sum;
  // CHECK-LABEL: {{^}}of_a_length_that_is_not_known
  // CHECK: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{ *}}256 {{.*}}exact
}

// smem-lint: launch block=(128) grid=(1)
__global__ void two_passes(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float most = -1e9f, n = 0;
  for (int j = 0; j < 64; ++j)
    most = fmaxf(most, fabsf(s[threadIdx.x + j * 3]));
  for (int j = 0; j < 64; ++j)
    n += fminf(s[threadIdx.x + j * 3], most);
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}two_passes
  // CHECK: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void stored_before(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  s[threadIdx.x + 15] = in[5];
  for (int j = 0; j < 64; ++j)
    n += fabsf(s[threadIdx.x + j * 3]);
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}stored_before
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}load 32 {{.*}}assumed
}

// Exchanges between lanes keep nothing apart.
// smem-lint: launch block=(128) grid=(1)
__global__ void across_a_shuffle(const float *in, float *out) {
  __shared__ float s[400];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  const float c = s[threadIdx.x + 15];
  for (int j = 0; j < 60; ++j) {
    const float v = s[threadIdx.x + j * 3];
    n += __shfl_xor_sync(~0u, v * c, 1);
  }
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}across_a_shuffle
  // CHECK: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void in_a_vector(const float4 *in, float *out) {
  __shared__ float4 s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float n = 0;
  for (int j = 0; j < 100; ++j)
    n += s[j].x * s[j].y + s[j].z + s[j].w;
  n += s[3].y;
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}in_a_vector
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void of_long_loops(const float *__restrict__ in, float *out) {
  float n = 0;
  const float c = in[threadIdx.x + 15];
  for (int j = 0; j < 1100; ++j)
    n += fabsf(in[threadIdx.x + j * 3]) * c;
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}of_long_loops
  // CHECK: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 {{.*}}assumed
}

// smem-lint: launch block=(128) grid=(1)
__global__ void in_the_midst_of_long_loops(const float *__restrict__ in, float *out) {
  float n = 0;
  const float c = in[threadIdx.x + 900];
  for (int j = 0; j < 1100; ++j)
    n += fabsf(in[threadIdx.x + j * 3]) * c;
  out[threadIdx.x] = n;
  // CHECK-LABEL: {{^}}in_the_midst_of_long_loops
  // CHECK: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 {{.*}}exact
}
