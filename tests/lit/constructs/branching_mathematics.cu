// cosf(w) twice is one value to LLVM. Of ten functions of libdevice, which read a table (cosf, sinf, tanf, ...), cicc finds no common value, and the second call's blocks stand
// between accesses; of all others it finds it before it inlines them (80 functions twice each, PTX read). A loop with cosf(w), where w stays the same, is unswitched on the
// conditions in cosf: LDS.128 where w is small. A store in a loop stays in it where such a table may be the same memory, and one that is overwritten after blocks stays.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(64) grid=(1)
__global__ void with_table(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * cosf(w);
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = s[0] - cosf(w) * s[1];
}
// CHECK-LABEL: {{^}}with_table 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(64) grid=(1)
__global__ void without(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * fmodf(w, 3.5f);
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = s[0] - fmodf(w, 3.5f) * s[1];
}
// CHECK-LABEL: {{^}}without 
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 64 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(64) grid=(1)
__global__ void from_outside(const float *x, float *out, float w, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += s[i] * cosf(w);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}from_outside 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 128 {{.*}}assumed (1)
// CHECK: (1) assumed: nvcc unswitches the loop as modelled: makes one for each outcome of a condition that stays the same in it [assumed-unswitching]

// smem-lint: launch block=(64) grid=(1)
__global__ void computed_in_the_loop(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += s[i] * cosf(w * 0.5f) + cosf(threadIdx.x);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}computed_in_the_loop 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 128 {{.*}}assumed

// A function of the user's that does more than hand its argument on: each call does so.
__shared__ int stride;
__device__ int set(int value) {
  stride = value;
  return __popc(value);
}
__device__ float logarithm_of(const float *p) { return logf(*p); }

// smem-lint: launch block=(32) grid=(1)
__global__ void functions_with_effects(float *out) {
  __shared__ float s[1024];
  const int a = set(1);
  s[threadIdx.x * stride] = a;
  const int b = set(32);
  s[threadIdx.x * stride] = b;
  const float before = logarithm_of(&s[31]);
  s[threadIdx.x] = before;
  out[threadIdx.x] = before + logarithm_of(&s[31]);
}
// CHECK-LABEL: {{^}}functions_with_effects 
// CHECK-DAG: {{^ *}}[[#@LINE-14]]:{{.*}}load 32 1 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-15]]:{{.*}}load 32 1 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{.*}}store 32 1 32 1 32-way exact

// smem-lint: launch block=(64) grid=(1) n=5
__global__ void both_at_once(const float *__restrict__ x, float *out, float w, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i) {
    float sine, cosine;
    sincosf(x[i] + w, &sine, &cosine);
    s[threadIdx.x] += sine * cosine;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}both_at_once 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}store 32 2 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void stored_each_time(float *x) {
  for (int i = 0; i < 10; ++i)
    x[threadIdx.x] = sinf(x[threadIdx.x]);
}
// CHECK-LABEL: {{^}}stored_each_time 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 20 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1) n=30
__global__ void stored_once(const float *__restrict__ x, float *__restrict__ out, float w, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i)
    s[threadIdx.x] += cosf(i * w) * x[i];
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: {{^}}stored_once 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 2 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void overwritten(const float *__restrict__ x, float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  const float value = logf(x[threadIdx.x]);
  s[threadIdx.x] = value;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK-LABEL: {{^}}overwritten 
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 2 {{.*}}assumed
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}store 32 2 {{.*}}assumed

// What is loaded for a store that may be dropped may be dropped with it, also where a function writes its results through pointers.
// smem-lint: launch block=(64) grid=(1) n=5
__global__ void results_by_pointers(const float *__restrict__ x, float *__restrict__ out, float w, int n) {
  for (int i = 0; i < n; ++i) {
    float sine, cosine;
    sincospif(x[i] + w, &sine, &cosine);
    out[threadIdx.x] = sine * cosine;
  }
}
// CHECK-LABEL: {{^}}results_by_pointers 
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}load 32 {{.*}}assumed

// However much is computed of what stays the same, and where it is loaded; what the counter decides is no such argument.
// smem-lint: launch block=(64) grid=(1)
__global__ void polynomial_of(const float *__restrict__ x, float *__restrict__ out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += s[i] * cosf(((((((((w + 1) * w + 2) * w + 3) * w + 4) * w + 5) * w + 6) * w + 7) * w + 8) * w);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}polynomial_of 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 128 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void counted(const float *__restrict__ x, float *__restrict__ out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 1; i < 16; ++i)
    sum += s[i] * cosf(i * w);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}counted 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 30 {{.*}}exact

// What the arguments are known to be decides the branches: 0 * w is small, and of constants cicc computes the function (33 arguments of 13 functions, machine code compared). LDS.64
// and two LDS.32; LDS.128 of all four; four LDS.32 where w may be anything; LDS.64 for what is less than 3, and LDS.32 for what may be more.
// smem-lint: launch block=(64) grid=(1)
__global__ void first_of_a_transform(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += s[i] * cosf(i * w);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}first_of_a_transform 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void constants_of_a_transform(const float *x, float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += s[i] * cosf(i * 0.5f);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}constants_of_a_transform 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 128 {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void nothing_is_known(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += s[i] * cosf((i + 1) * w + threadIdx.x);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}nothing_is_known 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}load 32 8 {{.*}}exact

// smem-lint: launch block=(64) grid=(1)
__global__ void saturated(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0] + fmodf(__saturatef(w), 3.f) * s[1];
}
// CHECK-LABEL: {{^}}saturated 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load {{.*}}assumed

// smem-lint: launch block=(64) grid=(1)
__global__ void not_saturated(const float *x, float *out, float w) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0] + fmodf(w, 3.f) * s[1];
}
// CHECK-LABEL: {{^}}not_saturated 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}load 32 {{.*}}exact
