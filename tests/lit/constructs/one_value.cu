// Shared variables that only ever hold one value are that value, and what nothing reads is not there. Addresses, and what is given two values, stay.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint --fail-on=never %s | FileCheck --check-prefix=GONE %s
#include <cuda_runtime.h>

struct Pair { int value, step; };
// smem-lint: launch block=(32) grid=(1)
__global__ void constant(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 5;
    // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  __syncthreads();
  out[threadIdx.x] = n;
}

// smem-lint: launch block=(32) grid=(1) q=3
__global__ void member(int *out, int q) {
  __shared__ Pair pair;
  if (threadIdx.x == 0) {
    pair.value = q;
    // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}pair.value {{ *}}store 32 {{ *}}1 {{.*}}exact
    pair.step = 2;
    // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  }
  __syncthreads();
  out[threadIdx.x * pair.step] = pair.value;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}pair.value {{ *}}load 32 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1) q=3
__global__ void two_values(int *out, int q) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}flag {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  if (threadIdx.x == q)
    flag = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}flag {{ *}}store 32 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = flag;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}flag {{ *}}load 32 {{ *}}1 {{.*}}exact
}

// smem-lint: launch block=(32) grid=(1)
__global__ void address(int *out) {
  __shared__ int *where;
  __shared__ int there[32];
  if (threadIdx.x == 0)
    where = there;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}where {{ *}}store 64 {{ *}}1 {{.*}}exact
  there[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = where[threadIdx.x];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{.*}}where{{.*}}load 64 {{ *}}1 {{.*}}exact
}
