// Neighbours in shared memory that a loop steps through by a constant. Where the array is declared to be aligned cicc makes one access of them; else ptxas does, which sees the loop's pointer
// after loop strength reduction: where that is in the middle of them, four words are two accesses of 64 bits (STS.64 [R-8], STS.64 [R] in the machine code), and two stay two.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

struct Words { int x, y, z, w; };

// One iteration at most, in the loop of those that are left over.
// smem-lint: launch block=(128) grid=(1) n=100
__global__ void copied(const Words *in, int *out, int n) {
  __shared__ Words s[128];
  for (int i = threadIdx.x; i < n; i += 128)
    s[i] = in[i];
  // CHECK-LABEL: {{^}}copied
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i] {{ *}}store 128 {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].x;
}

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void copied_to_aligned(const Words *in, int *out, int n) {
  __shared__ __align__(16) Words s[128];
  for (int i = threadIdx.x; i < n; i += 128)
    s[i] = in[i];
  // CHECK-LABEL: {{^}}copied_to_aligned
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i] {{ *}}store 128 {{ *}}4 {{ *}}13 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].x;
}

// smem-lint: launch block=(128) grid=(1) n=100
__global__ void pairs(const int *in, int *out, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < n; i += 128) {
    s[2 * i] = in[i];
    s[2 * i + 1] = in[i + n];
    // CHECK-LABEL: {{^}}pairs
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[2 * i + 1] {{ *}}store 64 {{.*}}assumed
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// Three words of no common alignment never merge.
// smem-lint: launch block=(128) grid=(1) n=100
__global__ void three_words(const int3 *in, int *out, int n) {
  __shared__ int3 s[128];
  for (int i = threadIdx.x; i < n; i += 128)
    s[i] = in[i];
  // CHECK-LABEL: {{^}}three_words
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i] {{ *}}store 32 {{ *}}12 {{ *}}12 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].x;
}

// smem-lint: launch block=(32) grid=(1) n=3
__global__ void left_over_loads(const int *in, int *out, int n) {
  __shared__ int s[4096];
  for (int i = threadIdx.x; i < 4096; i += 32) s[i] = in[i];
  __syncthreads();
  int v = 0;
  for (int i = 0; i < n; ++i) {
    const int *p = &s[4 * (i * 32 + threadIdx.x)];
    v += p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
    // CHECK-LABEL: {{^}}left_over_loads
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// ptxas alone unrolls this one.
// smem-lint: launch block=(32) grid=(1) n=3
__global__ void inclusive(const int *in, int *out, int n) {
  __shared__ int s[4096];
  for (int i = threadIdx.x; i < 4096; i += 32) s[i] = in[i];
  __syncthreads();
  int v = 0;
  for (int i = 0; i <= n; ++i) {
    const int *p = &s[4 * (i * 32 + threadIdx.x)];
    v += p[0] * 3 + p[1] * 5 + p[2] * 7 + p[3];
    // CHECK-LABEL: {{^}}inclusive
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// The row is another one in each iteration, the place in it the same; the step is not known, so that nothing is reduced.
// smem-lint: launch block=(128) grid=(1) n=100
__global__ void step_not_known(const Words *in, int *out, int n) {
  __shared__ Words s[128];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[i] = in[i];
  // CHECK-LABEL: {{^}}step_not_known
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[i] {{ *}}store 128 {{ *}}4 {{ *}}13 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].x;
}

// The double tells how the words beside it are aligned, in global memory, too.
struct Fields { double d; int i; short a, b; };
// smem-lint: launch block=(128) grid=(1) n=100
__global__ void fields(const Fields *in, Fields *out, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    out[i] = in[i];
  // CHECK-LABEL: {{^}}fields
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}in[i] {{ *}}load 64 {{.*}}assumed
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}out[i] {{ *}}store 64 {{.*}}assumed
}

// Half-words of several iterations, of which the machine code merges none.
// smem-lint: launch block=(32) grid=(1) n=4
__global__ void halves(const short *in, float *out, int n) {
  __shared__ short s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float v = 0;
  for (int i = 0; i < n; ++i)
    v += (float)s[3 - i];
  // CHECK-LABEL: {{^}}halves
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}s[3 - i] {{ *}}load {{.*}}assumed
  out[threadIdx.x] = v;
}

// Of several rows the middle is that of all: of four the first word of the third.
// smem-lint: launch block=(32,8) grid=(1)
__global__ void four_rows(const float *in, float *out) {
  __shared__ float s[128][64];
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 128 * 64; i += 256) s[0][i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) {
    float product = 1;
    for (int row = 0; row < 4; ++row)
      product *= s[threadIdx.x * 4 + row][k];
    // CHECK-LABEL: {{^}}four_rows
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{ *}}512 {{.*}}assumed
    for (int i = 0; i < 12; ++i)
      sum = sum * product + sum;
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}
