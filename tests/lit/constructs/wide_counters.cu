// Counters of 64 bits: nvcc finds out how often a loop runs, and unrolls it, where start and step are not extended alike from two values of one kind, and where the sum is signed. PTX, CUDA 13.0: 945 loops.
// Lanes that leave at different iterations show it: 1,000 numbers and 256 threads are 32 requests of a block where the loop stays, and 35 where it is unrolled by four.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(256) grid=(1) n=1000
__global__ void from_register_by_register(const float *in, float *out, long n) {
  float sum = 0;
  for (long i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i]; // load 32 exact
  out[threadIdx.x] = sum;
}
// CHECK: from_register_by_register grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 32 {{.*}}exact

// smem-lint: launch block=(256) grid=(1) n=1000
__global__ void of_unsigned_sums(const float *in, float *out, unsigned n) {
  float sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i]; // load 32 exact
  out[threadIdx.x] = sum;
}
// CHECK: of_unsigned_sums grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 32 {{.*}}exact

// smem-lint: launch block=(256) grid=(1) n=1000
__global__ void of_signed_sums(const float *in, float *out, int n) {
  float sum = 0;
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i]; // load 32 exact
  out[threadIdx.x] = sum;
}
// CHECK: of_signed_sums grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 35 {{.*}}exact

// The comparison is one of unsigned numbers to LLVM in the end, the sum a signed one still.
// smem-lint: launch block=(256) grid=(1)
__global__ void up_to_a_constant(const float *in, float *out, float bound) {
  float sum = 0;
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < 1000; i += blockDim.x * gridDim.x)
    if (in[i] > bound) // load 32 exact
      out[i] = sum;
}
// CHECK: up_to_a_constant grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 35 {{.*}}exact

// smem-lint: launch block=(256) grid=(1) n=1000
__global__ void of_a_register_and_a_sum(const float *in, float *out, long n) {
  float sum = 0;
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    sum += in[i]; // load 32 exact
  out[threadIdx.x] = sum;
}
// CHECK: of_a_register_and_a_sum grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 35 {{.*}}exact

// Of other values of one kind both were seen.
// smem-lint: launch block=(256) grid=(1) n=1000
__global__ void of_exchanged_numbers(const float *in, float *out, long n) {
  float sum = 0;
  const long step = __shfl_sync(~0u, blockDim.x, 1);
  for (long i = __shfl_sync(~0u, threadIdx.x + 4, 1); i < n; i += step)
    sum += in[i + threadIdx.x]; // load 32 assumed
  out[threadIdx.x] = sum;
}
// CHECK: of_exchanged_numbers grid=
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{.*}}assumed
