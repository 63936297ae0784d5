// A thread that executes `exit` accesses nothing afterwards; bytes that memcpy moves one by one stay bytes; elements of a
// structure by value are known at variable indices.
// RUN: not %lint %s | FileCheck %s
#include <cuda_runtime.h>
#include <string.h>

// smem-lint: launch block=(64) grid=(1) n=50
__global__ void thread_exit(int *out, int n) {
  if (threadIdx.x >= n) asm volatile("exit;");
  out[threadIdx.x] = 1;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void byte_copy(unsigned char *out) {
  __shared__ unsigned char bytes[32 * 16];
  for (int i = threadIdx.x; i < 512; i += 32) bytes[i] = i;
  __syncthreads();
  memcpy(out + threadIdx.x * 16, bytes + threadIdx.x * 16, 16);
}

struct Pitches {
  int of[8];
};

__global__ void by_value(const float *in, float *out, Pitches pitches, int n) {
  for (int i = 0; i < n; ++i) out[i * 32 + threadIdx.x] = in[threadIdx.x * pitches.of[i]];
}

void launch(const float *in, float *out) {
  Pitches pitches{{1, 2, 8, 1, 1, 1, 1, 1}};
  by_value<<<1, 32>>>(in, out, pitches, 3);
}
// CHECK: 10:20  out[threadIdx.x]  store 32 {{ *}}2 {{ *}}7 {{ *}}7 {{ *}}2 {{.*}}exact
// CHECK: 18:3  memcpy{{.*}}load 8 {{ *}}16 {{ *}}64 {{ *}}16 {{ *}}4-way  exact
// CHECK: 18:3  memcpy{{.*}}store 8 {{ *}}16 {{ *}}256 {{ *}}16 {{ *}}64 {{.*}}exact
// CHECK: in[threadIdx.x * pitches.of[i]] {{ *}}load 32 {{ *}}3 {{ *}}44 {{ *}}12 {{.*}}assumed (1)
// CHECK: (1) assumed: in is a multiple of 256 bytes: depends on parameter 'in' of 'launch'
