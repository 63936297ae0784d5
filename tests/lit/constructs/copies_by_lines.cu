// A structure that is taken apart into its fields is loaded where its variable is declared; a vector where the variable is copied on.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct Cell { int id; float v[3]; };
struct Matrix { float m[3][3]; };

// smem-lint: launch block=(32) grid=(1)
__global__ void three(const float3 *in, float3 *out) {
  const float3 v = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 32 {{ *}}3 {{.*}}exact
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}out[threadIdx.x] {{ *}}store 32 {{ *}}3 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void four(const float4 *in, float4 *out) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = v;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 128 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void swap(Cell *cells) {
  const Cell p = cells[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}cells[threadIdx.x] {{ *}}load 32 {{ *}}4 {{.*}}exact
  const Cell q = cells[threadIdx.x + 32];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}cells[threadIdx.x + 32] {{ *}}load 32 {{ *}}4 {{.*}}exact
  cells[threadIdx.x] = q;
  cells[threadIdx.x + 32] = p;
}

// smem-lint: launch block=(32) grid=(1)
__global__ void nested(const Matrix *in, Matrix *out) {
  const Matrix m = in[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}in[threadIdx.x] {{ *}}load 32 {{ *}}9 {{.*}}exact
  out[threadIdx.x] = m;
}
