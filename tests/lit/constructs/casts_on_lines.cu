// A cast of a pointer, and a variable of a class that is initialised in braces or parentheses, take their line as any access does: from the last name or constant in the address
// (nvcc 13.0; of 7 rows of four GEMM kernels of a public collection each was claimed a line too early).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

struct Pair {
  float a, b;
};

// smem-lint: launch block=(32) grid=(1) n=3
__global__ void casts(const float *in, float *out, int n) {
  const int t = threadIdx.x;
  const float4 v = *reinterpret_cast<const float4 *>(
      &in[4
          * t]);
  const int i = *(const int *)(
      in + t
      + n);
  *reinterpret_cast<float2 *>(
      &out[2 *
           t]) = make_float2(v.x + v.y, v.z + v.w);
  out[t + 64] = i;                                 
}
// CHECK-LABEL: {{^}}casts 
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:{{.*}}load 128 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}store 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(32) grid=(1) n=3
__global__ void initialised(const Pair *in, const float2 *in2, float *out, int n) {
  const int t = threadIdx.x;
  const Pair p{
      in[t ^
         n]};
  const float2 q(
      in2
          [t]);
  out[t] = p.a + p.b + q.x + q.y;
}
// CHECK-LABEL: {{^}}initialised 
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}store 32 {{.*}}exact

// A structure that is made where it is assigned counts on the left side, a copy on the right one.
// smem-lint: launch block=(32) grid=(1) n=3
__global__ void made_in_place(const float *in, float4 *out, Pair *pairs, int n) {
  const int t = threadIdx.x;
  const float a = in[t], b = in[t + n];
  out[
      t] = {
      a, b,
      a * b,
      a + b};
  const Pair p = {a, b};
  pairs[t] =
      p;
}
// CHECK-LABEL: {{^}}made_in_place 
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:{{.*}}store 128 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}exact
