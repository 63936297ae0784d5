// Accesses that stay apart, sink or move in machine code, and where. The widths and lines are those of nvcc (CUDA 13.0, sm_90).
// RUN: %lint --fail-on=never --launch "block=(32) grid=(1)" %s | FileCheck %s

// A store to another window of 16 bytes ends what merges: STS ×4.
__global__ void columns_in_turn(float a, float *out) {
  __shared__ float s[16][32];
  const int r = threadIdx.x & 15;
  s[r][0] = a;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][0] {{ *}}store 32 {{ *}}1 {{.*}} exact
  s[r][4] = a + 1;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][4] {{ *}}store 32 {{ *}}1 {{.*}} exact
  s[r][1] = a + 2;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][1] {{ *}}store 32 {{ *}}1 {{.*}} exact
  s[r][5] = a + 3;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][5] {{ *}}store 32 {{ *}}1 {{.*}} exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x & 15][threadIdx.x >> 1];
}

// In one window they merge in any order: STS.128.
__global__ void one_window(float a, float *out) {
  __shared__ float s[16][32];
  const int r = threadIdx.x & 15;
  // clang-format off
  s[r][0] = a; s[r][3] = a + 1; s[r][2] = a + 2; s[r][1] = a + 3;
  // CHECK-DAG: [[#@LINE-1]]:{{.*}} store 128 {{ *}}1 {{.*}} exact
  // clang-format on
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x & 15][threadIdx.x >> 1];
}

// Where rows are a multiple of 8 bytes, windows are of 8: STS ×3.
__global__ void small_window(float a, float *out) {
  __shared__ float s[16][34];
  const int r = threadIdx.x & 15;
  s[r][0] = a;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][0] {{ *}}store 32 {{ *}}1 {{.*}} exact
  s[r][2] = a + 1;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][2] {{ *}}store 32 {{ *}}1 {{.*}} exact
  s[r][1] = a + 2;
  // CHECK-DAG: [[#@LINE-1]]:11  s[r][1] {{ *}}store 32 {{ *}}1 {{.*}} exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x & 15][threadIdx.x >> 1];
}

// Loads merge across windows: LDS.64 ×2.
__global__ void loads_in_turn(float a, float *out) {
  __shared__ float s[16][32];
  const int r = threadIdx.x & 15;
  s[threadIdx.x >> 1][threadIdx.x] = a;
  __syncthreads();
  // clang-format off
  a = a * 3 + s[r][0]; a = a * 3 + s[r][4]; a = a * 3 + s[r][1]; a = a * 3 + s[r][5];
  // CHECK-DAG: [[#@LINE-1]]:15  s[r][0] {{ *}}load 64 {{ *}}1 {{.*}} exact
  // CHECK-DAG: [[#@LINE-2]]:36  s[r][4] {{ *}}load 64 {{ *}}1 {{.*}} exact
  // clang-format on
  out[threadIdx.x] = a;
}

// Of the smaller of two multiples of four ptxas knows nothing: LDS ×4; of four times the smaller one it does: LDS.128.
__global__ void smaller(float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32)
    s[i] = i;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int m = 0; m < 4; ++m)
    sum += s[min(t * 4, 60) + m];
  // CHECK-DAG: [[#@LINE-1]]:12  s[min(t * 4, 60) + m] {{ *}}load 32 {{ *}}4 {{.*}} exact
#pragma unroll
  for (int m = 0; m < 4; ++m)
    sum += s[min(t, 15) * 4 + m];
  // CHECK-DAG: [[#@LINE-1]]:12  s[min(t, 15) * 4 + m] {{ *}}load 128 {{ *}}1 {{.*}} exact
  out[t] = sum;
}

// A vector that is copied on is loaded where it is stored, in a loop that unrolls fully as well.
__global__ void copied_on(const float4 *in, float4 *out) {
  for (int k = 0; k < 8; ++k) {
    const float4 v = in[threadIdx.x * 8 + k];
    out[(threadIdx.x ^ k) * 2] = v;
    // CHECK-DAG: [[#@LINE-1]]:{{.*}} in[threadIdx.x * 8 + k] {{ *}}load 128 {{ *}}8 {{.*}} exact
  }
}

// Stores under conditions of their own stay two, on their line.
__global__ void two_conditions(int chunk, float *out) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int k = lane; k <= 40; k += 8)
    if ((blockIdx.x & 4) == 0)
      out[blockIdx.x * chunk + (threadIdx.x + lane) % 16] = 3;
  // CHECK-DAG: [[#@LINE-1]]:{{.*}} store 32 {{ *}}{{[0-9]+}} {{.*}} assumed
}

// The condition that is divergent is the second of two: one store sinks out of both blocks all the same. STG.
__global__ void second_condition(const double *in, float *out, float *other) {
  __shared__ double cache[32];
  const int tx = threadIdx.x, bid = blockIdx.x;
  float acc = in[tx];
  cache[tx] = in[tx];
  __syncthreads();
  if (bid > 0 && tx % 3 != 0)
    for (int k = 0; k < 8; ++k)
      acc += (float)cache[tx ^ k];
  if (bid > 0 && tx % 7 != 0) {
    out[bid * 36 + tx] = acc;
  } else {
    out[bid * 32 + tx % 16] = acc;
    // CHECK-DAG: [[#@LINE-1]]:29  out[bid * 32 + tx % 16] {{ *}}store 32 {{ *}}1 {{.*}}assumed
  }
  other[tx] = acc;
}

// Nothing writes the array, so that no barrier changes it: nvcc may load before the loop.
__global__ void never_written(float *out) {
  __shared__ float never[145];
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum -= never[(threadIdx.x + k) % 145];
    // CHECK-DAG: [[#@LINE-1]]:12  never[(threadIdx.x + k) % 145] {{ *}}load 32 {{ *}}4 {{.*}}assumed
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Neighbours by the bits of their index, to LLVM; nvcc keeps five STS.U8.
__global__ void by_their_bits(unsigned char v, unsigned char *out) {
  extern __shared__ unsigned char bytes[];
  for (int k = 0; k < 5; ++k)
    bytes[(threadIdx.x * 16 + k) & 63] = v + k;
  // CHECK-DAG: [[#@LINE-1]]:{{.*}}bytes[(threadIdx.x * 16 + k) & 63] {{ *}}store {{.*}}assumed
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];
}

// The remainder of a multiple of four is one to ptxas, which merges floats, and not to cicc, which merges bytes: LDS.U8 ×4.
__global__ void remainders(const float *in, float *out) {
  extern __shared__ unsigned char small[];
  small[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int m = 0; m < 4; ++m)
    sum += small[(int)threadIdx.x * 4 % 60 + m];
  // CHECK-DAG: [[#@LINE-1]]:{{.*}}small[(int)threadIdx.x * 4 % 60 + m] {{ *}}load {{.*}}assumed
  out[threadIdx.x] = sum;
}
