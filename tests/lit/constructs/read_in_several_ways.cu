// One address that is loaded plainly, by __ldg() and past L1: nvcc makes no two loads one that go through the caches in different ways, whichever comes first; equal ones are one.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void plain_and_read_only(float *out, const float *in, int n, int m) {
  const int i = threadIdx.x;
  float v = in[i];
  v += __ldg(&in[i]);
  out[i] = v;
}
// CHECK-LABEL: {{^}}plain_and_read_only 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void read_only_and_plain(float *__restrict__ out, const float *__restrict__ in, int n, int m) {
  const int i = threadIdx.x;
  float v = __ldg(&in[i]);
  v += in[i];
  out[i] = v;
}
// CHECK-LABEL: {{^}}read_only_and_plain 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void past_l1_and_plain(float *out, const float *in, int n, int m) {
  const int i = threadIdx.x;
  float v = __ldcg(&in[i]);
  v += in[i];
  out[i] = v;
}
// CHECK-LABEL: {{^}}past_l1_and_plain 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void streamed_plain_and_cached(float *out, const float *in, int n, int m) {
  const int i = threadIdx.x;
  float v = __ldcs(&in[i]);
  v += in[i];
  v += __ldca(&in[i]);
  out[i] = v;
}
// CHECK-LABEL: {{^}}streamed_plain_and_cached 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void under_a_condition(float *out, const float *in, int n, int m) {
  const int i = threadIdx.x;
  float v = __ldg(&in[i]);
  if (n > 3)
    v += in[i];
  out[i] = v;
}
// CHECK-LABEL: {{^}}under_a_condition 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1) n=100 m=7
__global__ void read_only_twice(float *out, const float *in, int n, int m) {
  const int i = threadIdx.x;
  float v = __ldg(&in[i]);
  v += __ldg(&in[i]);
  out[i] = v;
}
// CHECK-LABEL: {{^}}read_only_twice 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}exact
