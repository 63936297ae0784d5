// Structures without padding between their fields are copied field by field, others as a whole; a field that is read beside such a copy is uncertain.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct Padded { char tag; short id; float weight; double sum; };
struct Floats { float a, b, c; };

// smem-lint: launch block=(32) grid=(1)
__global__ void whole(Padded *data) {
  __shared__ Padded s[32];
  s[threadIdx.x] = data[threadIdx.x];
  // CHECK: 11:{{.*}}s[threadIdx.x] {{ *}}store 128 {{.*}}exact
  __syncthreads();
  data[threadIdx.x] = s[31 - threadIdx.x];
  // CHECK: 14:{{.*}}s[31 - threadIdx.x] {{ *}}load 128 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void beside(Padded *data, float *out) {
  __shared__ Padded s[32];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
  // CHECK: 23:{{.*}}load 128 {{.*}}assumed
  out[threadIdx.x] = s[threadIdx.x].id;
  // CHECK: 25:{{.*}}s[threadIdx.x].id {{ *}}load 16 {{.*}}assumed
  // CHECK: assumed: nvcc copies the structure as a whole
}

// smem-lint: launch block=(32) grid=(1)
__global__ void fields(Floats *data, float *out) {
  __shared__ Floats s[32];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
  // CHECK: 35:{{.*}}load 32 {{ *}}3 {{ *}}3 {{.*}}exact
  out[threadIdx.x] = s[threadIdx.x].c;
  // CHECK-NOT: 37:{{.*}} load
  // CHECK: 37:{{.*}}out[threadIdx.x] {{ *}}store 32 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void half_of_a_pair(int *out) {
  __shared__ long long words[32];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = int(words[31 - threadIdx.x] >> 24 & 63);
  // CHECK: 47:{{.*}}words[31 - threadIdx.x] {{ *}}load 32 {{.*}}exact
}
