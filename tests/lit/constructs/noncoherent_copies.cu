// A vector that is copied to a local variable and read as other elements: nvcc loads it as what it is cast to, on the line of the first use, but for what it makes an ld.global.nc, which is of the
// type of the copy and counts where that stands (PTX of 17 kernels). That is what __restrict__ pointers lead to, also those of inlined functions, if nothing writes there.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(4)
__global__ void plain(const float *in, float *out) {
  const int t = threadIdx.x;
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum +=
      reinterpret_cast<const float *>(&p)[i];
  // CHECK-LABEL: {{^}}plain
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{.*}}exact
  out[t] = sum;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void restricted(const float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  // CHECK-LABEL: {{^}}restricted
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{.*}}exact
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum +=
      reinterpret_cast<const float *>(&p)[i];
  out[t] = sum;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void written(float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum +=
      reinterpret_cast<const float *>(&p)[i];
  // CHECK-LABEL: {{^}}written
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{.*}}exact
  in[t + 4096] = sum;
  out[t] = sum;
}

// smem-lint: launch block=(128) grid=(4) n=3
__global__ void chosen(const float *__restrict__ a, const float *__restrict__ b, float *out, int n) {
  const int t = threadIdx.x;
  const float *in = n > 2 ? a : b;
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  // CHECK-LABEL: {{^}}chosen
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}load 128 {{ *}}16 {{.*}}assumed
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum +=
      reinterpret_cast<const float *>(&p)[i];
  out[t] = sum;
}

__device__ void twice(const float *__restrict__ in, float *__restrict__ out, int t) {
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  uint4 q;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<float *>(&q)[i] =
      reinterpret_cast<const float *>(&p)[i] * 2;
  reinterpret_cast<uint4 *>(out)[t] = q;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void through_a_function(const float *in, float *out) { twice(in, out, threadIdx.x); }
// CHECK-LABEL: {{^}}through_a_function
// CHECK: {{^ *}}[[#@LINE-12]]:{{.*}}load 128 {{.*}}exact

// smem-lint: launch block=(128) grid=(4)
__global__ void in_place(float *in) { twice(in, in, threadIdx.x); }
// CHECK-LABEL: {{^}}in_place
// CHECK: {{^ *}}[[#@LINE-12]]:{{.*}}load 128 {{.*}}assumed

__device__ void counted(float *__restrict__ in, float *__restrict__ out, int t) {
  uint4 p =
    reinterpret_cast<const uint4 *>(in)[t];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum +=
      reinterpret_cast<const float *>(&p)[i];
  atomicAdd(in + 4096, sum);
  out[t] = sum;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void added_to(float *in, float *out) { counted(in, out, threadIdx.x); }
// CHECK-LABEL: {{^}}added_to
// CHECK: {{^ *}}[[#@LINE-8]]:{{.*}}load 128 {{ *}}16 {{.*}}assumed
