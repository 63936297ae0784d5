// A structure that is copied into a variable is loaded field by field where the variable is declared: what two variables copy of one place counts on two lines, and
// a field that is replaced before the variable is copied on is not loaded. Arrays of structures are their numbers; bit-fields are bytes to nvcc, which is not followed.
// RUN: not %lint %s | FileCheck %s
#include <cuda_runtime.h>
struct Padded { char c; float f; short s; double d; };
struct Body { float3 position, velocity; float mass; };
struct Rows { int4 whole; float2 halves[2]; };
struct Bits { unsigned low : 5, middle : 11, high : 16; int number; };
union Word { float f; int i; };
struct Tagged { Word word; int number; };

// smem-lint: launch block=(128) grid=(1)
__global__ void two_variables(const Body *in, float *out) {
  const int t = threadIdx.x;
  Body one = in[t];
  float sum = one.position.y + one.velocity.x;
  Body other = in[t];
  sum += other.position.z * other.position.y;
  out[t] = sum;
}
// CHECK-LABEL: {{^}}two_variables 
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:14 {{.*}}load 32 {{ *}}8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:16 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void two_padded_variables(const Padded *in, float *out) {
  const int t = threadIdx.x;
  Padded one = in[t];
  float sum = one.f;
  Padded other = in[t];
  out[t] = sum + other.s;
}
// CHECK-LABEL: {{^}}two_padded_variables 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:16 {{.*}}load 32 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:18 {{.*}}load 16 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void replaced_field(Padded *out, const Padded *in, float *sums) {
  const int t = threadIdx.x;
  Padded value = in[t + 128];
  sums[t] = value.s;
  value.d = t;
  out[t] = value;
}
// CHECK-LABEL: {{^}}replaced_field 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:18 {{.*}}load 16 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:18 {{.*}}load 32 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:18 {{.*}}load 8 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:11 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:10 {{.*}}store 8 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:10 {{.*}}store 32 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-9]]:10 {{.*}}store 16 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-10]]:10 {{.*}}store 64 {{ *}}4 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void whole(Padded *out, const Padded *in) {
  const int t = threadIdx.x;
  out[t] = in[t + 128];
}
// CHECK-LABEL: {{^}}whole 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:10 {{.*}}load 64 {{ *}}12 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}store 64 {{ *}}12 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void array_of_structures(Rows *out, const Rows *in) {
  __shared__ Rows rows[128];
  const int t = threadIdx.x;
  rows[t] = in[t];
  __syncthreads();
  out[t] = rows[127 - t];
}
// CHECK-LABEL: {{^}}array_of_structures 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:11 {{.*}}store 128 {{ *}}8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:11 {{.*}}load 128 {{ *}}8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}load 128 {{ *}}8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 128 {{ *}}8 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void bits(Bits *out, const Bits *in) {
  __shared__ Bits words[128];
  const int t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  out[t] = words[127 - t];
}
// CHECK-LABEL: {{^}}bits 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:12 {{.*}}store 64 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}load 32 {{ *}}8 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}load 64 {{ *}}4 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 32 {{ *}}8 {{.*}}assumed

// smem-lint: launch block=(128) grid=(1)
__global__ void unions(Tagged *out, const Tagged *in) {
  __shared__ Tagged words[128];
  const int t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  out[t] = words[127 - t];
}
// CHECK-LABEL: {{^}}unions 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:12 {{.*}}store 64 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}load 32 {{ *}}8 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}load 64 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 32 {{ *}}8 {{.*}}exact
