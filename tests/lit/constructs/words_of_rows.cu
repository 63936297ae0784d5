// Elements of an aligned row of shared memory that are loaded on several lines, with gaps between them. Of words cicc loads the row, and ptxas takes it apart again, all of it on one of the two lines (nvcc 13.0, machine code read: two LDS on one line, none on the other
// one); half-words stay apart in some kernels (two LDS.U16) and become one load in others. What one load can have whole is one (LDS.64).
// RUN: %lint --fail-on=never %s | FileCheck %s

// smem-lint: launch grid=1 block=256
__global__ void ends_of_a_row(float *o) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  s[t].x =
      t;
  s[t].w =
      t + 1;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 32 {{.*}} assumed
  o[t] =
      s[t ^ 1].x;
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 32 {{.*}} assumed
  o[t + 256] =
      s[t ^ 1].w;
}
// smem-lint: launch grid=1 block=256
__global__ void middle_of_a_row(float *o) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  s[t].y =
      t;
  s[t].z =
      t + 1;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 32 {{.*}} assumed
  o[t] =
      s[t ^ 1].y;
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 32 {{.*}} assumed
  o[t + 256] =
      s[t ^ 1].z;
}
// smem-lint: launch grid=1 block=256
__global__ void half_words(float *o) {
  __shared__ __align__(16) short s[2048];
  int t = threadIdx.x;
  for (int i = t; i < 2048; i += 256)
    s[i] = i;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 64 {{.*}} assumed
  o[t] =
      s[4 * (t ^ 1)];
  o[t + 256] =
      s[4 * (t ^ 1) + 3];
}
// smem-lint: launch grid=1 block=256
__global__ void pair(float *o) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  s[t] = make_float4(t, 1, 2, 3);
  __syncthreads();
  // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}} {{.*}} load 64 {{.*}} exact
  o[t] =
      s[t ^ 1].x;
  o[t + 256] =
      s[t ^ 1].y;
}
