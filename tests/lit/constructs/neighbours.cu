// Arrays that lie side by side, as nvcc lays them out. The instructions are those of its machine code (CUDA 13.0, sm_90).
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1)" %s | FileCheck %s

struct One {
  int value;
};

// The stores to both arrays become one: a store to neither, and within bounds. STS.128, LDS.128.
__global__ void neighbours(int *out, int x, int y) {
  __shared__ int s[2], u[2];
  if (threadIdx.x == 0) {
    s[0] = x;
    s[1] = y;
    u[0] = x;
    u[1] = y;
    // CHECK-DAG: [[#@LINE-1]]:10  u[1] {{ *}}store 128 {{ *}}1 {{.*}}assumed
  }
  __syncthreads();
  out[threadIdx.x] = s[0] + s[1] + u[0] + u[1];
}

// What has only constant indices lies behind what has others: no neighbours. STS ×2.
__global__ void apart(int *out, int x, int y) {
  __shared__ One one;
  __shared__ One several[4];
  if (threadIdx.x == 0) {
    one.value = x;
    // CHECK-DAG: [[#@LINE-1]]:15  one.value {{ *}}store 32 {{ *}}1 {{.*}}exact
    several[threadIdx.x & 3].value = y;
    // CHECK-DAG: [[#@LINE-1]]:36  several[threadIdx.x & 3].value {{ *}}store 32 {{ *}}1 {{.*}}exact
  }
  __syncthreads();
  out[threadIdx.x] = one.value + several[threadIdx.x & 3].value;
}
// CHECK-NOT: smem-out-of-bounds
