// Why the lanes of an atomic go one after the other is known of the launch that was analysed: what is claimed of other blocks is the sum, as these may have the other
// cause.
// RUN: not %lint %s | FileCheck %s

// With block=(32,2,2) 32 words of one bank, with the assumed block eight lanes of each of four.
// CHECK: [[#@LINE+6]]:3: warning: atomic of atomicAdd(&bins[threadIdx.x * 32], u) takes 32 wavefronts instead of 1: lanes update one word, or words of one bank, when blockDim.x % 32 == 0 or blockDim.x is one of 4, 8, 16 in full warps [smem-atomic-serialization]
// CHECK-NEXT: {{.*}}atomicAdd
// CHECK: cost: {{.*}} wavefronts where {{.*}} are enough (32x)
// CHECK-NEXT: cause: with block=(8,8,4): lanes 0,8,...,24 update the word
__global__ void columns(unsigned u, float *out) {
  __shared__ unsigned bins[1024];
  atomicAdd(&bins[threadIdx.x * 32], u);
  out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = 0;
}

// Whole warps update one word, and rows of four lanes eight words of one bank.
// CHECK: [[#@LINE+4]]:3: warning: atomic of atomicAdd(&bins[threadIdx.y][0], u) takes 32 wavefronts instead of 1: lanes update one word, or words of one bank, when
// CHECK: cause: with block=(32,32,1): lanes 0-31 all update the word at byte 0
__global__ void rows(unsigned u) {
  __shared__ unsigned bins[32][32];
  atomicAdd(&bins[threadIdx.y][0], u);
}

// Of a launch that is known the cause is known; of others its figures say nothing.
// CHECK: [[#@LINE+4]]:3: warning: 32-way bank conflict: atomic of atomicAdd(&bins[threadIdx.x * 32], u) takes 32 wavefronts instead of 1 [smem-bank-conflict]
// smem-lint: launch block=(32) grid=(1)
__global__ void stated(unsigned u) {
  __shared__ unsigned bins[1024];
  atomicAdd(&bins[threadIdx.x * 32], u);
}
