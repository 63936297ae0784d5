// Iterations whose accesses are adjacent by constants that are or-ed to an index: where these grow nvcc merges them, where they fall some and others not (42 loads and stores of nvcc 13.0 for
// sm_90, machine code read). Written out it merges them in any order (30).
// RUN: %lint --fail-on=never %s | FileCheck %s

// smem-lint: launch block=64 grid=2
__global__ void upwards(int *o) {
  __shared__ int s[256];
  const int t = threadIdx.x, v = o[t];
  for (int i = 0; i < 4; ++i)
    // CHECK-DAG: [[#@LINE+1]]:20  s[(t * 4) ^ i] {{ *}}store 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}exact
    s[(t * 4) ^ i] = v + i;
  __syncthreads();
  o[t] = s[255 - t];
}

// smem-lint: launch block=64 grid=2
__global__ void downwards(int *o) {
  __shared__ int s[256];
  const int t = threadIdx.x, v = o[t];
  for (int i = 3; i >= 0; --i)
    // CHECK-DAG: [[#@LINE+1]]:20  s[(t * 4) ^ i] {{ *}}store {{.*}} assumed
    s[(t * 4) ^ i] = v + i;
  __syncthreads();
  o[t] = s[255 - t];
}

// smem-lint: launch block=64 grid=2
__global__ void written_out(int *o) {
  __shared__ alignas(16) int s[256];
  const int t = threadIdx.x, v = o[t];
  // CHECK-DAG: [[#@LINE+1]]:18  s[(t * 4) | 3] {{ *}}store 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}exact
  s[(t * 4) | 3] = v, s[(t * 4) | 2] = v + 1, s[(t * 4) | 1] = v + 2, s[t * 4] = v + 3;
  __syncthreads();
  o[t] = s[255 - t];
}

// Bits that an index always has are cleared by the iterations, which share the index: nvcc knows nothing of what is left (64 of 64 loops).
// smem-lint: launch block=64 grid=2
__global__ void cleared(int *o) {
  __shared__ alignas(16) int s[256];
  const int t = threadIdx.x;
  // CHECK-DAG: [[#@LINE+2]]:24  s[(4 * t + 3) ^ i] {{ *}}store 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}assumed
  for (int i = 3; i >= 0; --i)
    s[(4 * t + 3) ^ i] = o[t + i * 64];
  __syncthreads();
  int sum = 0;
  // CHECK-DAG: [[#@LINE+2]]:21  s[(4 * t + 3) & ~i] {{ *}}load 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}assumed
  for (int i = 3; i >= 0; --i)
    sum = sum * 3 + s[(4 * t + 3) & ~i];
  o[t] = sum;
}

// What is taken from a constant stays whole in the address that iterations have in common; ptxas, which merges in arrays that are not declared to be aligned, knows no alignment of it.
// smem-lint: launch block=64 grid=2
__global__ void taken_from(int *o) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  for (int i = t; i < 512; i += 64) s[i] = o[i];
  __syncthreads();
  int sum = 0;
  // CHECK-DAG: [[#@LINE+2]]:21  s[511 - t * 4 - i] {{ *}}load 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}assumed
  for (int i = 0; i < 4; ++i)
    sum = sum * 3 + s[511 - t * 4 - i];
  // CHECK-DAG: [[#@LINE+2]]:21  s[t * 4 + i] {{ *}}load 128 {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}- {{ *}}exact
  for (int i = 0; i < 4; ++i)
    sum = sum * 5 + s[t * 4 + i];
  o[t] = sum;
}
