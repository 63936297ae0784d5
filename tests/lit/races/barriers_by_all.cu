// Whether all threads come to the barriers shows without running where no branch before them depends on the thread or on data: whatever the block is, and
// whatever races. Why it is not known is always said.
// RUN: %lint-short --fail-on=never --format=json %s | FileCheck %s

// CHECK: "kernel": "of_a_library",
// CHECK: "barriers": {
// CHECK-NEXT: "verdict": "uniform",
// CHECK-NEXT: "holds": "always",
__global__ void of_a_library(float *o, const int *order, int n) {
  extern __shared__ float s[];
  for (int tile = 0; tile < n; ++tile) {
    s[order[threadIdx.x]] = tile;
    __syncthreads();
    o[tile * blockDim.x + threadIdx.x] = s[threadIdx.x];
    __syncthreads();
  }
}

// CHECK: "kernel": "races",
// CHECK: "barriers": {
// CHECK-NEXT: "verdict": "uniform",
// CHECK-NEXT: "holds": "always",
// smem-lint: launch grid=1 block=64
__global__ void races(float *o) {
  __shared__ float s[64];
  s[threadIdx.x] = o[threadIdx.x];
  o[threadIdx.x] = s[63 - threadIdx.x];
  __syncthreads();
}

// Only some threads come to the first barrier with other arguments than these.
// CHECK: "kernel": "as_often_as_the_thread_says",
// CHECK: "barriers": {
// CHECK-NEXT: "verdict": "uniform",
// CHECK-NEXT: "holds": "launch",
// smem-lint: launch grid=1 block=64 n=0
__global__ void as_often_as_the_thread_says(int *o, int n) {
  int i = 0;
  do {
    __syncthreads();
  } while (++i < n * (int)threadIdx.x);
  o[threadIdx.x] = i;
}

// CHECK: "kernel": "where_data_says",
// CHECK: "barriers": {
// CHECK-NEXT: "verdict": "unknown",
// CHECK-NEXT: "holds": "launch",
// CHECK-NEXT: "reason": "{{.*}}is loaded from memory
// smem-lint: launch grid=1 block=64
__global__ void where_data_says(int *o, const int *wanted) {
  if (wanted[threadIdx.x])
    __syncthreads();
  o[threadIdx.x] = 1;
}

// CHECK: "kernel": "some_threads",
// CHECK: "barriers": {
// CHECK-NEXT: "verdict": "unknown",
// CHECK-NEXT: "holds": "assumed",
// CHECK-NEXT: "reason": "how many threads a block has is not known",
__global__ void some_threads(float *o) {
  extern __shared__ float s[];
  s[threadIdx.x] = o[threadIdx.x];
  if (threadIdx.x < blockDim.x)
    __syncthreads();
  o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
