// What modifiers of PTX instructions make of numbers: relu, NaN, two numbers in one register. And calls that are not followed: each lane gets its own.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1)
__global__ void numbers(int *out) {
  __shared__ int tile[2048];
  const int lane = threadIdx.x;
  int r, s, p;
  asm("max.relu.s32 %0, %1, %2;" : "=r"(r) : "r"(lane - 24), "r"(lane - 20));
  tile[r * 32] = 1;
  // CHECK: 11:{{.*}}store 32 {{ *}}1 {{ *}}12 {{ *}}1 {{.*}}exact
  asm("min.relu.s32 %0, %1, %2;" : "=r"(s) : "r"(lane - 20), "r"(5));
  tile[s * 32] = 2;
  // CHECK: 14:{{.*}}store 32 {{ *}}1 {{ *}}6 {{ *}}1 {{.*}}exact
  asm("add.u16x2 %0, %1, %2;" : "=r"(p) : "r"(lane), "r"(0x00010001));
  tile[p * 32 & 2047] = 3;
  // CHECK: 17:{{.*}}store 32 {{.*}}unknown
  int ordered, unordered;
  const float nan = __int_as_float(0x7fc00000);
  asm("{ .reg .pred q; setp.ne.f32 q, %1, %2; selp.s32 %0, 1, 0, q; }" : "=r"(ordered) : "f"(nan), "f"(1.0f));
  asm("{ .reg .pred q; setp.neu.f32 q, %1, %2; selp.s32 %0, 1, 0, q; }" : "=r"(unordered) : "f"(nan), "f"(1.0f));
  tile[ordered * lane * 32] = 4;
  // CHECK: 23:{{.*}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}exact
  tile[unordered * lane * 32] = 5;
  // CHECK: 25:{{.*}}store 32 {{ *}}1 {{ *}}32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[lane] = tile[lane];
}

__device__ int rank_of(int n) { return n > 1 ? rank_of(n - 1) * rank_of(n - 2) + int(threadIdx.x) : int(threadIdx.x); }

// smem-lint: launch block=(32) grid=(1)
__global__ void called(int depth, int *out) {
  __shared__ int tile[2048];
  tile[rank_of(depth) * 32 & 2047] = 1;
  // CHECK: 36:{{.*}}store 32 {{.*}}unknown
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
