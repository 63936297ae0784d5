// What ptxas merges and what it keeps apart. The widths are those of nvcc's machine code (CUDA 13.0, sm_90), named beside each line.
// RUN: %lint --fail-on=never --launch "block=(32) grid=(1)" %s | FileCheck %s

struct __align__(16) Four {
  float x, y, z, w;
};

// Stores to two arrays in turn: either might be to the other's place, for all that ptxas knows. STS ×8.
__global__ void stores_in_turn(const float *in, float *out) {
  __shared__ float a[128], b[128];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    a[4 * t + i] = in[i];
    // CHECK-DAG: [[#@LINE-1]]:18  a[4 * t + i] {{ *}}store 32 {{ *}}4 {{.*}}exact
    b[4 * t + i] = in[i];
    // CHECK-DAG: [[#@LINE-1]]:18  b[4 * t + i] {{ *}}store 32 {{ *}}4 {{.*}}exact
  }
  __syncthreads();
  out[t] = a[127 - t] + b[t ^ 5];
}

// Any three words of an aligned window are loaded as four. LDS.128.
__global__ void three_of_four(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    if (i != 2) sum += s[4 * t + i];
  // CHECK-DAG: [[#@LINE-1]]:24  s[4 * t + i] {{ *}}load 128 {{ *}}1 {{.*}}exact
  out[t] = sum;
}

// Two of the middle stay apart. LDS ×2.
__global__ void middle(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int i = 1; i < 3; ++i) sum += s[4 * t + i];
  // CHECK-DAG: [[#@LINE-1]]:38  s[4 * t + i] {{ *}}load 32 {{ *}}2 {{.*}}exact
  out[t] = sum;
}

// An array whose place is 4 modulo 16, behind one of 33 words. LDS ×4.
__global__ void misplaced(const float *in, float *out) {
  __shared__ float before[33];
  __shared__ float s[128];
  const int t = threadIdx.x;
  before[t] = in[t];
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  float sum = before[31 - t];
  for (int i = 0; i < 4; ++i) sum += s[4 * t + i];
  // CHECK-DAG: [[#@LINE-1]]:38  s[4 * t + i] {{ *}}load 32 {{ *}}4 {{.*}}exact
  out[t] = sum;
}

// Four half-words are 64 bits. LDS.64.
__global__ void half_words(const short *in, float *out) {
  __shared__ short s[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += (float)s[4 * t + i];
  // CHECK-DAG: [[#@LINE-1]]:45  s[4 * t + i] {{ *}}load 64 {{ *}}1 {{.*}}exact
  out[t] = sum;
}

// Three members of an aligned structure in global memory. LDG.128.
__global__ void members(const Four *in, float *out) {
  const int t = threadIdx.x;
  out[t] = in[t].x + in[t].y + in[t].w;
  // CHECK-DAG: [[#@LINE-1]]:{{.*}}  load 128 {{ *}}1 {{.*}}exact
}

// One byte is all that is used: LDG.U8. A read-only load (ld.global.nc) stays whole: LDG.
__global__ void low_byte(const int *words, const int *__restrict__ read_only, const float *in, float *out) {
  const int t = threadIdx.x;
  float sum = in[words[t] & 255];
  // CHECK-DAG: [[#@LINE-1]]:18  words[t] {{ *}}load 8 {{ *}}1 {{.*}}exact
  sum += in[read_only[t] & 255];
  // CHECK-DAG: [[#@LINE-1]]:13  read_only[t] {{ *}}load 32 {{ *}}1 {{.*}}exact
  sum += (words[t + 32] >> 8) & 255;
  // CHECK-DAG: [[#@LINE-1]]:11  words[t + 32] {{ *}}load 8 {{ *}}1 {{.*}}exact
  out[t] = sum;
}

// The row is 17 * (8 - t), the column t: neither compiler adds up to 8 * (17 * 8 - 2 * t). LDS ×2.
__global__ void row_and_column(const float *in, float *out) {
  __shared__ float s[48][17];
  const int t = threadIdx.x % 16;
  for (int i = t; i < 48 * 17; i += 32) s[0][i] = in[i];
  __syncthreads();
  out[t] = s[32 - t][t] + s[32 - t][t + 1];
  // CHECK-DAG: [[#@LINE-1]]:12  s[32 - t][t] {{ *}}load 32 {{ *}}1 {{.*}}exact
  // CHECK-DAG: [[#@LINE-2]]:27  s[32 - t][t + 1] {{ *}}load 32 {{ *}}1 {{.*}}exact
}
