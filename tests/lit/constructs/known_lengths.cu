// Loops of known length: whole up to 406 instructions, six times as many over a local array, else by a power of two that divides the length and
// makes 200 at most. What is merged shows how many iterations are one.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

#define TEN(x) x = x * c + d; x = x * d + c; x = x * c + d; x = x * d + c; x = x * c + d;

// smem-lint: launch block=(32) grid=(1)
__global__ void whole(float *out, float c, float d) { // 6 * (60 + 2): four are one load, two another
  __shared__ float4 s4[8];
  float *s = reinterpret_cast<float *>(s4);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float x = c;
  for (int i = 0; i < 6; ++i) {
    TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x)
    x += s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 128 {{ *}}1 {{.*}}exact
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 64 {{ *}}1 {{.*}}exact
  }
  out[threadIdx.x] = x;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void not_whole(float *out, float c, float d) { // 6 * (70 + 2), beyond 406: two at a time
  __shared__ float4 s4[8];
  float *s = reinterpret_cast<float *>(s4);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float x = c;
  for (int i = 0; i < 6; ++i) {
    TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x)
    x += s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}3 {{.*}}assumed
  }
  out[threadIdx.x] = x;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void halves(float *out, float c, float d) { // 90 is odd but for one factor of two
  __shared__ float4 s4[32];
  float *s = reinterpret_cast<float *>(s4);
  for (int i = threadIdx.x; i < 128; i += 32)
    s[i] = i;
  __syncthreads();
  float x = c;
  for (int i = 0; i < 90; ++i) {
    TEN(x)
    x += s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}45 {{.*}}assumed
  }
  out[threadIdx.x] = x;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void local_array(float *out, float c, float d) { // 16 * (80 + 4), beyond 406
  __shared__ float4 s4[8];
  float *s = reinterpret_cast<float *>(s4);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float x = c, all[16];
  for (int i = 0; i < 16; ++i) {
    TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x)
    x += s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 128 {{ *}}4 {{.*}}exact
    all[i] = x;
  }
  for (int i = 15; i >= 0; --i)
    x = x * c + all[i];
  out[threadIdx.x] = x;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void no_local_array(float *out, float c, float d) { // the same without: two at a time
  __shared__ float4 s4[8];
  float *s = reinterpret_cast<float *>(s4);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float x = c;
  for (int i = 0; i < 16; ++i) {
    TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x) TEN(x)
    x += s[i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load 64 {{ *}}8 {{.*}}assumed
  }
  out[threadIdx.x] = x;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void pairs_of_rows(float *out, float c, float d) { // two at a time: the machine code may take two such pairs at once
  __shared__ float s[4 * 96];
  for (int i = threadIdx.x; i < 4 * 96; i += 32)
    s[i] = i;
  __syncthreads();
  float x = c;
  const int row = threadIdx.x / 8;
  for (int i = 0; i < 90; ++i) {
    TEN(x)
    x += s[row * 96 + i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}load {{.*}}assumed
  }
  out[threadIdx.x] = x;
}
