// nvcc inlines a device function however long it is, before it looks at loops: its pointers are known to lead to shared memory, its sums are registers. In a
// function of its own each sum would be stored and keep the loads apart. How far ptxas unrolls the loop is another matter.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// Nothing but length: 256 statements, of which LLVM counts more than it inlines by itself.
#define TWICE(x) x x
#define OFTEN(x) TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(x))))))))

__device__ void accumulate(const float *rows, const float *columns, float *sums, float x) {
  OFTEN(x = x * 1.5f + sums[0]; if (x > 3.5f) x -= 0.25f * x;)
  sums[0] = x;
  for (int k = 0; k < 64; ++k)
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 8; ++c)
        sums[r * 8 + c] +=
            rows[(threadIdx.y * 4 + r) * 64 + k] *
            // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} rows[(threadIdx.y * 4 + r) * 64 + k] {{ *}}load 32 {{.*}}assumed
            columns[(k * 16 + threadIdx.x) * 8 + c];
            // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} columns[(k * 16 + threadIdx.x) * 8 + c] {{ *}}load 128 {{ *}}1,024 {{ *}}8,192 {{ *}}4,096 {{.*}}assumed
}

__global__ void product(const float *in, float *out) {
  __shared__ float rows[16 * 4 * 64], columns[64 * 16 * 8];
  const int t = threadIdx.y * 16 + threadIdx.x;
  for (int i = t; i < 16 * 4 * 64; i += 256) rows[i] = in[i];
  __syncthreads();
  for (int i = t; i < 64 * 16 * 8; i += 256) columns[i] = in[i + 4096];
  __syncthreads();
  float sums[32] = {};
  accumulate(rows, columns, sums, in[t]);
  for (int i = 0; i < 32; ++i) out[i * 256 + t] = sums[i];
}

int main() {
  float *buffer;
  cudaMalloc(&buffer, 1 << 20);
  product<<<1, dim3(16, 16)>>>(buffer, buffer + 65536);
}
