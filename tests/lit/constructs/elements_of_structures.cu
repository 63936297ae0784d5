// Half-words and other elements that are structures. `s[2 * t]` is computed from `s[t]` where that has been an access, and ptxas does not add the two up: it knows no alignment then, and neighbours stay
// apart; those of numbers meet. A structure of one field is loaded where it is declared. What becomes a float of a __nv_bfloat16 alone is loaded by itself.
// RUN: not %lint %s | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Number { float value; };
struct Pair { float x, y; };

// smem-lint: launch block=(128) grid=(1)
__global__ void of_halves(half *out, const half *in) {
  __shared__ half s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const half a = s[2 * t], b = s[2 * t + 1];
  out[t] = a + b;
}
// CHECK-LABEL: {{^}}of_halves 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:8 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:8 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:18 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:32 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:10 {{.*}}store 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_shorts(short *out, const short *in) {
  __shared__ short s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const short a = s[2 * t], b = s[2 * t + 1];
  out[t] = a;
  out[t + 128] = b;
}
// CHECK-LABEL: {{^}}of_shorts 
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:8 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:10 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:19 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:10 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:16 {{.*}}store 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_others(half *out, const half *in) {
  __shared__ half s[512];
  const int t = threadIdx.x;
  s[t + 5] = in[t];
  __syncthreads();
  const half a = s[2 * t], b = s[2 * t + 1];
  out[t] = a + b;
}
// CHECK-LABEL: {{^}}of_others 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:12 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:18 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_numbers(float *out, const float *in) {
  __shared__ Number s[512];
  const int t = threadIdx.x;
  s[t].value = in[t];
  __syncthreads();
  out[t] = s[2 * t].value;
  out[t + 128] = s[2 * t + 1].value;
}
// CHECK-LABEL: {{^}}of_numbers 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:14 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:16 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:21 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:16 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:31 {{.*}}load 32 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void of_members(float *out, const float *in) {
  __shared__ Pair s[512];
  const int t = threadIdx.x;
  s[t].y = in[t];
  __syncthreads();
  out[t] = s[2 * t].x * s[2 * t].y;
}
// CHECK-LABEL: {{^}}of_members 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:21 {{.*}}load 64 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void widened(float *out, const __nv_bfloat16 *in) {
  __shared__ __nv_bfloat16 s[512];
  const int t = threadIdx.x;
  s[t + 5] = in[t];
  __syncthreads();
  out[t] = __bfloat162float(s[2 * t]) * __bfloat162float(s[2 * t + 1]);
}
// CHECK-LABEL: {{^}}widened 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:12 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:29 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:58 {{.*}}load 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void added(__nv_bfloat16 *out, const __nv_bfloat16 *in) {
  __shared__ __nv_bfloat16 s[512];
  const int t = threadIdx.x;
  s[t + 5] = in[t];
  __syncthreads();
  const __nv_bfloat16 a = s[2 * t], b = s[2 * t + 1];
  out[t] = a + b;
}
// CHECK-LABEL: {{^}}added 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:12 {{.*}}store 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:12 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:27 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:10 {{.*}}store 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void one_field(half *out, const half *in) {
  const int t = threadIdx.x;
  const half value = in[t];
  out[t] = value;
}
// CHECK-LABEL: {{^}}one_field 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:22 {{.*}}load 16 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}store 16 {{ *}}4 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void two_fields(half2 *out, const half2 *in) {
  const int t = threadIdx.x;
  const half2 value = in[t];
  out[t] = value;
}
// CHECK-LABEL: {{^}}two_fields 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:23 {{.*}}load 32 {{ *}}4 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:10 {{.*}}store 32 {{ *}}4 {{.*}}exact
