// What is left over of a loop that is unrolled four times: a loop, or, within another loop, straight code under one condition each, the first load of which ptxas makes
// wide enough for the second (LDS.64, @P LDS in the machine code).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// Six iterations: four of two loads of 64 bits, and one for the two that are left; of the third none is left.
// smem-lint: launch block=(8,32) grid=(1) tiles=1 trips=6
__global__ void within_a_loop(const float *in, float *out, int tiles, int trips) {
  __shared__ float tile[32][10];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.x + t];
    __syncthreads();
    for (int i = 0; i < trips; ++i)
      sum += tile[threadIdx.y][i];
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}tile[threadIdx.y][i] {{ *}}load 64 {{ *}}24 {{ *}}24 {{.*}}exact
    // CHECK-NOT: {{^ *}}[[#@LINE-2]]:{{.*}}load 32 {{ *}}[1-9]
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(8,32) grid=(1) trips=6
__global__ void alone(const float *in, float *out, int trips) {
  __shared__ float tile[32][10];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < trips; ++i)
    sum += tile[threadIdx.y][i];
  // CHECK-LABEL: {{^}}alone
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[threadIdx.y][i] {{ *}}load 64 {{ *}}16 {{ *}}16 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}}tile[threadIdx.y][i] {{ *}}load 32 {{ *}}16 {{ *}}16 {{.*}}exact
  out[threadIdx.x] = sum;
}

// Rows begin at odd words: nothing is known to be aligned.
// smem-lint: launch block=(8,32) grid=(1) tiles=1 trips=6
__global__ void odd_rows(const float *in, float *out, int tiles, int trips) {
  __shared__ float tile[32][11];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.x + t];
    __syncthreads();
    for (int i = 0; i < trips; ++i)
      sum += tile[threadIdx.y][i];
    // CHECK-LABEL: {{^}}odd_rows
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[threadIdx.y][i] {{ *}}load 32 {{ *}}48 {{ *}}48 {{.*}}exact
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(8,32) grid=(1) tiles=1 trips=6
__global__ void doubles(const double *in, double *out, int tiles, int trips) {
  __shared__ double tile[32][10];
  double sum = 0.0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.x + t];
    __syncthreads();
    for (int i = 0; i < trips; ++i)
      sum += tile[threadIdx.y][i];
    // CHECK-LABEL: {{^}}doubles
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[threadIdx.y][i] {{ *}}load 128 {{ *}}24 {{.*}}exact
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Pairs of 16 bytes lie across the ends of four iterations: whether ptxas makes four of these one again decides how many are loaded at once.
// smem-lint: launch block=(32) grid=(1) trips=16
__global__ void from_the_middle(const double *in, double *out, int trips) {
  __shared__ double tile[320];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  double sum = 0.0;
  for (int i = 0; i < trips; ++i)
    sum += tile[threadIdx.x * 4 + 3 + i];
  // CHECK-LABEL: {{^}}from_the_middle
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}+ i] {{ *}}load 128 {{.*}}assumed
  out[threadIdx.x] = sum;
}

// smem-lint: launch block=(32) grid=(1) trips=16
__global__ void from_an_edge(const double *in, double *out, int trips) {
  __shared__ double tile[320];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  double sum = 0.0;
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < trips; ++i)
    sum += tile[lane * 6 + i];
  // CHECK-LABEL: {{^}}from_an_edge
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}tile[lane * 6 + i] {{ *}}load 128 {{ *}}8 {{.*}}exact
  out[threadIdx.x] = sum;
}
