// Neighbouring accesses of one lane become one wide access, as in the machine code, and are listed once with their width.
// RUN: %lint %s | FileCheck %s
// smem-lint: launch block=(32) grid=(1)
__global__ void merged(float *out) {
  __shared__ __align__(16) float line[32 * 4];
  for (int i = threadIdx.x; i < 32 * 4; i += 32) line[i] = i;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += line[threadIdx.x * 4 + i];
// CHECK: {{^ *}}[[#@LINE-1]]:12  line[threadIdx.x * 4 + i] {{ *}}load 128 {{ *}}1 {{ *}}4 {{ *}}4 {{ *}}-  exact
  out[threadIdx.x] = sum;
}
