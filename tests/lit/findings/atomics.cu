// Lanes of a shared atomic that update one word go one after the other; that is no bank conflict. Lanes on different words of a bank are one.
// RUN: not %lint --checks=-smem-uninitialized %s | FileCheck %s

// smem-lint: launch block=(64) grid=(1)
__global__ void eight_words(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x & 7], a[threadIdx.x]);
// CHECK-NOT: [smem-bank-conflict]
// CHECK: atomics.cu:[[#@LINE-2]]:3: warning: serialised atomic of atomicAdd(&s[threadIdx.x & 7], a[threadIdx.x]) takes 4 wavefronts instead of 1: lanes update one word [smem-atomic-serialization]
// CHECK: cost: 8 wavefronts where 2 are enough (4x) in 2 requests;
// CHECK-NEXT: cause: lanes 0,8,...,24 update the word at byte 0, one after the other; 32 lanes update 8 words
// CHECK-NEXT: hint: give each group of lanes a copy of its own
// CHECK-NOT: [smem-bank-conflict]
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}

// smem-lint: launch block=(64) grid=(1)
__global__ void different_words(int *a) {
  __shared__ int s[64 * 8];
  atomicAdd(&s[threadIdx.x * 8], a[threadIdx.x]);
// CHECK: atomics.cu:[[#@LINE-1]]:3: warning: 8-way bank conflict: atomic of atomicAdd(&s[threadIdx.x * 8], a[threadIdx.x]) takes 8 wavefronts instead of 1 [smem-bank-conflict]
// CHECK-NOT: [smem-atomic-serialization]
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}

// Two lanes on each word, four words in each bank.
// smem-lint: launch block=(32) grid=(1)
__global__ void both(int *a) {
  __shared__ int s[16 * 8];
  atomicMax(&s[threadIdx.x / 2 * 8], a[threadIdx.x]);
// CHECK: atomics.cu:[[#@LINE-1]]:3: warning: serialised atomic of atomicMax(&s[threadIdx.x / 2 * 8], a[threadIdx.x]) takes 8 wavefronts instead of 4: lanes update one word [smem-atomic-serialization]
// CHECK: cause: lanes 0-1 update the word at byte 0
// CHECK: atomics.cu:[[#@LINE-3]]:3: warning: 4-way bank conflict: atomic of atomicMax(&s[threadIdx.x / 2 * 8], a[threadIdx.x]) takes 4 wavefronts instead of 1 [smem-bank-conflict]
// CHECK: cost: 4 wavefronts where 1 is enough (4x) in 1 request;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}

// smem-lint: launch block=(32) grid=(1)
__global__ void counted(int *a) {
  __shared__ int s[8];
  atomicAdd(&s[threadIdx.x & 7], 1);
  const int ticket =
      atomicAdd(&s[threadIdx.x & 3], 1);
// CHECK-NOT: atomics.cu:[[#@LINE-3]]:{{[0-9]+}}: warning
// CHECK: atomics.cu:[[#@LINE-2]]:7: warning: serialised atomic of atomicAdd(&s[threadIdx.x & 3], 1) takes 8 wavefronts instead of 1
// CHECK: hint: without its result, an atomicAdd of the constant 1 counts all lanes of a word at once
  a[threadIdx.x] = s[threadIdx.x & 7] + ticket;
}

// No instruction of its own: a loop, in which one lane of a word succeeds in each round.
// smem-lint: launch block=(64) grid=(1)
__global__ void floating(float *a) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x & 7], a[threadIdx.x]);
// CHECK: atomics.cu:[[#@LINE-1]]:{{[0-9]+}}: warning: serialised atomic of atomicAdd(&s[threadIdx.x & 7], a[threadIdx.x]) is a loop of compare-and-swap of 4 rounds instead of 1: lanes update one word [smem-atomic-serialization]
// CHECK: cause: lanes 0,8,...,24 update the word at byte 0, one after the other; 32 lanes update 8 words
  atomicAdd(&s[threadIdx.x & 31], a[threadIdx.x]);
// CHECK-NOT: atomics.cu:[[#@LINE-1]]:{{[0-9]+}}: warning
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}
// CHECK: 7 findings
