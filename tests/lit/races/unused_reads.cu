// What is read and not used races as well: no access of the source is dropped.
// RUN: %races %s | FileCheck --check-prefixes=SHARED %s
// RUN: %races --global %s | FileCheck --check-prefixes=GLOBAL %s
#include <cuda_runtime.h>

// SHARED: unused grid (1,1,1) block (64,1,1): race (between warps race,
// SHARED-NEXT: line [[#@LINE+4]] read by (0,0,0), line [[#@LINE+3]] write by (63,0,0)
__global__ void unused(int *out) {
  __shared__ int s[64];
  if (threadIdx.x == 63) s[63] = 5;
  const int last = s[63];
  out[threadIdx.x] = 1;
}

// SHARED: overwritten grid (1,1,1) block (64,1,1): race (between warps race,
__device__ int next_of(const int *numbers, int i) { return numbers[i + 1]; }
__global__ void overwritten(int *out) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  int value = next_of(s, threadIdx.x);
  value = 3;
  out[threadIdx.x] = value;
}

// GLOBAL: of_global grid (1,1,1) block (64,1,1): race (between warps race,
__global__ void of_global(int *numbers) {
  int value = 10;
  numbers[threadIdx.x] = value;
  value = numbers[threadIdx.x + 1];
}

// Local variables are no memory that threads share.
// SHARED: of_locals grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void of_locals(int *out) {
  int all[4] = {1, 2, 3, 4};
  int unused = all[threadIdx.x % 4];
  const int *one = &all[1];
  unused = *one;
  out[threadIdx.x] = 1;
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  unused<<<1, 64>>>(out);
  overwritten<<<1, 64>>>(out);
  of_global<<<1, 64>>>(out);
  of_locals<<<1, 64>>>(out);
}
