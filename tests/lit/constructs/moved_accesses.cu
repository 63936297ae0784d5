// Accesses that nvcc moves, or makes fewer, because it looks at loops and branches in another order than LLVM: read in PTX and machine code.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// One iteration loads, of a place that is known then: the load goes before its loop, and loses its line.
// smem-lint: launch block=(32) grid=(1)
__global__ void one_iteration(float *out) {
  __shared__ float tile[64], other[64];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 6; ++i)
    if (i < 1)
      sum += tile[i + i / 8];
  // CHECK-LABEL: {{^}}one_iteration
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load 32 {{ *}}1 {{.*}}assumed
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void two_iterations(float *out) {
  __shared__ float tile[64][33];
  tile[0][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 6; ++i)
    if (i < 2)
      sum += tile[i][i * 3];
  // CHECK-LABEL: {{^}}two_iterations
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load 32 {{ *}}2 {{.*}}exact
  for (int i = 0; i < 6; ++i)
    if (i < 1)
      sum += tile[i][threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}} load 32 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = sum;
}

// The outer loop is unrolled before its stores leave it: six times behind the unrolled iterations, six times behind what is left over.
// smem-lint: launch block=(32) grid=(1) trips=5
__global__ void repeated_stores(float4 *__restrict__ out, float4 *__restrict__ more, float value, int trips) {
  for (int k = 0; k < trips; ++k)
    for (int i = 0; i < 6; ++i)
      out[i] = make_float4(value, value, value, value);
  // CHECK-LABEL: {{^}}repeated_stores
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[i] {{ *}}store 128 {{.*}}assumed
  for (int k = 0; k < trips; ++k)
    for (int i = 0; i < 6; ++i)
      more[k * 6 + i] = make_float4(value, value, value, value);
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}more[k * 6 + i] {{ *}}store 128 {{ *}}30 {{.*}}exact
}

// What is only read ptxas loads before the loop, under the condition: barriers or not.
// smem-lint: launch block=(128) grid=(1)
__global__ void restricted(const double *__restrict__ in, const double *changed, double *out) {
  __shared__ double tile[4][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int t = 0; t < 3; ++t) {
    if (warp % 3 == 2)
      tile[warp][lane] = in[threadIdx.x * 33];
    // CHECK-LABEL: {{^}}restricted
    // CHECK-DAG: {{^ *}}[[#@LINE-2]]:{{.*}}in[threadIdx.x * 33] {{ *}}load 64 {{ *}}3 {{.*}}assumed
    __syncthreads();
    out[threadIdx.x + t] = tile[t][lane] + changed[threadIdx.x];
    // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{.*}}changed[threadIdx.x] {{ *}}load 64 {{ *}}12 {{.*}}exact
    __syncthreads();
  }
}

// Of 32 iterations four are left when the loop has been unrolled in part, and go then: 19 places are loaded.
// smem-lint: launch block=(32) grid=(1)
__global__ void in_parts(const float4 *in, const float4 *other, float *out) {
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) {
    const float4 v = in[k % 16 + k / 16 * 3];
    sum = sum * 0.5f + (v.x + v.y + v.z + v.w);
  }
  // CHECK-LABEL: {{^}}in_parts
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}in[k % 16 + k / 16 * 3] {{ *}}load 128 {{.*}}assumed
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void in_steps(const float4 *in, float *out) {
  float sum = 0.0f;
  for (int k = 0; k < 48; ++k) {
    const float4 v = in[k * 3];
    sum = sum * 0.5f + (v.x + v.y + v.z + v.w);
  }
  // CHECK-LABEL: {{^}}in_steps
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}}in[k * 3] {{ *}}load 128 {{ *}}48 {{.*}}exact
  out[threadIdx.x] = sum;
}

// A load that cannot fail is done by all lanes where selects are made of its block: up to five instructions.
// smem-lint: launch block=(32) grid=(1) n=1
__global__ void known_place(const float *in, float *out, int n, float b) {
  __shared__ float tile[32][32];
  tile[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float short_sum = in[threadIdx.x + 32], long_sum = short_sum, lane_sum = short_sum;
  if (n > 7)
    short_sum = (tile[5][5] * short_sum - b) * short_sum;
  // CHECK-LABEL: {{^}}known_place
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[5][5] {{.*}}assumed
  if (n > 8)
    long_sum = (((tile[6][6] * long_sum + 1.0f) / long_sum - b) * long_sum - b) * long_sum;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}tile[6][6] {{.*}}not reached
  if (n > 9)
    lane_sum = tile[7][threadIdx.x] * lane_sum;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}tile[7][threadIdx.x] {{.*}}not reached
  out[threadIdx.x] = short_sum;
  out[threadIdx.x + 32] = long_sum;
  out[threadIdx.x + 64] = lane_sum;
}

// What one block loads again was loaded before; nvcc makes one load of those of both blocks before it sees that.
// smem-lint: launch block=(32) grid=(1)
__global__ void loaded_before(const float *in, float *out) {
  __shared__ float tile[32][64];
  const int tid = threadIdx.x, lane = tid & 31;
  tile[lane][0] = in[tid];
  __syncthreads();
  float sum = tile[tid][tid];
  if (tid >= 1) {
    sum += tile[tid][tid];
  } else {
    const float v = tile[lane][tid > 0 && tid % 2 != 0 ? lane : lane];
    sum += v;
  }
  // CHECK-LABEL: {{^}}loaded_before
  // CHECK: {{^ *}}[[#@LINE-4]]:{{.*}} load 32 {{.*}}assumed
  out[tid] = sum;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void loaded_once(const float *in, float *out) {
  __shared__ float tile[32][33];
  tile[threadIdx.x][0] = in[threadIdx.x];
  __syncthreads();
  float sum = tile[threadIdx.x][threadIdx.x];
  if (threadIdx.x >= 1)
    sum *= 3.0f;
  else
    sum += tile[threadIdx.x][32];
  // CHECK-LABEL: {{^}}loaded_once
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[threadIdx.x][32] {{ *}}load 32 {{ *}}1 {{.*}}assumed
  out[threadIdx.x] = sum;
}

// Where a condition says that a place is a multiple of four LLVM sees neighbours, and nvcc does not: LDS.S8 x5 in the machine code.
// smem-lint: launch block=(32) grid=(1)
__global__ void multiple_by_condition(const char *in, float *out) {
  __shared__ char tile[64];
  const int lane = threadIdx.x & 31;
  tile[lane] = in[lane], tile[lane + 32] = in[lane + 32];
  __syncthreads();
  float sum = 0.0f;
  if ((threadIdx.x & 3) == 0)
    for (int i = 0; i < 5; ++i)
      sum += (float)tile[(32 - lane) ^ i];
  // CHECK-LABEL: {{^}}multiple_by_condition
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load {{.*}}assumed
  out[threadIdx.x] = sum;
}
