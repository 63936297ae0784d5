// Members of one structure that a statement and an iteration of an unrolled loop load, `in[i].w` and `in[i + j * 128].x`: cicc loads what is between them as well, however the two addresses are
// computed. Two words of four are one load that ptxas takes apart again; which line they count on is assumed.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void half_words(float *out, const ushort4 *in, int n, int m) {
  const int i = threadIdx.x;
  float v = in[i].w;
  for (int j = 0; j < 4; ++j)
    v += in[i + j * 128].x;
  out[i] = v;
}
// CHECK-LABEL: {{^}}half_words 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 16 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void words(float *out, const float4 *in, int n, int m) {
  const int i = threadIdx.x;
  float v = in[i].w;
  for (int j = 0; j < 4; ++j)
    v += in[i + j * 128].x;
  out[i] = v;
}
// CHECK-LABEL: {{^}}words 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void other_members(float *out, const ushort4 *in, int n, int m) {
  const int i = threadIdx.x;
  float v = in[i + n].w;
  for (int j = 0; j < 4; ++j)
    v += in[i + j * 128].x;
  out[i] = v;
}
// CHECK-LABEL: {{^}}other_members 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 16 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 16 {{.*}}exact
