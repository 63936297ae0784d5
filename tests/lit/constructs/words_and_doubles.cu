// Values of 64 bits meet each other in 16 bytes, pointers among them, and never words: LDS.64, LDS.64 where a double and two floats are neighbours.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) i=2
__global__ void a_double_and_floats(float *out, float v, double d, int i) {
  __shared__ __align__(16) float s[64];
  float *q = s + 4 * i;
  if (threadIdx.x == 0) {
    *(double *)q = d;
    q[2] = v, q[3] = v;
    // CHECK-LABEL: {{^}}a_double_and_floats
    // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}} store 64 {{ *}}1 {{.*}}exact
    // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}} store 64 {{ *}}1 {{.*}}exact
  }
  __syncthreads();
  const double sum = *(double *)q;
  out[threadIdx.x] = sum + q[2] * q[3];
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load 64 {{ *}}1 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load 64 {{ *}}1 {{.*}}exact
}

// Between them a word of another window: what is made of words does not matter to values of 64 bits.
// smem-lint: launch block=(32) grid=(1)
__global__ void in_turn(double *out, float v, double d, int i) {
  __shared__ __align__(16) float s[8];
  if (threadIdx.x == 0) {
    *(double *)s = d, s[6] = v, *(double *)(s + 2) = d, s[7] = v;
    // CHECK-LABEL: {{^}}in_turn
    // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} store 128 {{ *}}1 {{.*}}exact
    // CHECK: {{^ *}}[[#@LINE-3]]:{{.*}} store 64 {{ *}}1 {{.*}}exact
  }
  __syncthreads();
  out[threadIdx.x] = ((double *)s)[i];
}

// smem-lint: launch block=(32) grid=(1)
__global__ void pointers(int **out, int *p, int *q, int n) {
  __shared__ int a, b;
  __shared__ int *first, *second, *third;
  if (threadIdx.x == 0) {
    a = n, b = n, first = p + n, second = q + n, third = q;
    // CHECK-LABEL: {{^}}pointers
    // CHECK-DAG: {{^ *}}[[#@LINE-2]]:{{.*}} first {{ *}}store 64 {{ *}}1 {{.*}}exact
    // CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}} b {{ *}}store 64 {{ *}}1 {{.*}}exact
    // CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}} third {{ *}}store 128 {{ *}}1 {{.*}}exact
  }
  __syncthreads();
  out[threadIdx.x] = first + (second - third) + a * b;
  // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{.*}} first {{ *}}load 64 {{ *}}1 {{.*}}exact
  // CHECK-DAG: {{^ *}}[[#@LINE-2]]:{{.*}} a {{ *}}load 64 {{ *}}1 {{.*}}exact
  // CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}} second {{ *}}load 128 {{ *}}1 {{.*}}exact
}

// Two halves of a vector are words.
// smem-lint: launch block=(32) grid=(1) i=2
__global__ void vectors(float *out, float v, int i) {
  __shared__ __align__(16) float s[64];
  float *q = s + 4 * i;
  if (threadIdx.x == 0)
    q[0] = v, q[1] = v, q[2] = v, q[3] = v;
  __syncthreads();
  const float2 low = *(float2 *)q;
  // CHECK-LABEL: {{^}}vectors
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}} load 128 {{ *}}1 {{.*}}exact
  out[threadIdx.x] = low.x * low.y + q[2] * q[3];
}
