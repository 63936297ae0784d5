// A cheap test of a shared flag beside another test is one condition of the two: nvcc loads the flag before the branch, since a shared load at a known
// place cannot fault and costs little, and so does every warp. As in nvcc's PTX; two warps, of which the first test alone would let one in.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void truth(const int *in, int *out) {
  __shared__ bool flag;
  if (threadIdx.x == 3) flag = in[0] > 4;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}store 8 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  if (threadIdx.x == 0 && flag) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 8 {{ *}}2 {{ *}}2 {{.*}}exact
}

__global__ void number(const int *in, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 3) flag = in[0];
  __syncthreads();
  if (threadIdx.x == 0 && flag) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}}exact
}

__global__ void compared(const int *in, int *out) {
  __shared__ int found[64];
  found[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0 && found[5] < 9) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} found[5] {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}}exact
}

__global__ void flag_first(const int *in, int *out) {
  __shared__ bool flag;
  if (threadIdx.x == 3) flag = in[0] > 4;
  __syncthreads();
  if (flag && threadIdx.x == 0) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 8 {{ *}}2 {{ *}}2 {{.*}}exact
}

__global__ void either(const int *in, int *out, int n) {
  __shared__ int flag;
  if (threadIdx.x == 3) flag = in[0];
  __syncthreads();
  if (threadIdx.x > n || flag > 4) out[threadIdx.x] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}}exact
}

__global__ void two_flags(const int *in, int *out) {
  __shared__ bool early, late;
  if (threadIdx.x == 3) {
    early = in[0] > 4;
    late = in[1] > 4;
  }
  __syncthreads();
  if (threadIdx.x == 0 && early) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} early {{ *}}load 8 {{ *}}2 {{ *}}2 {{.*}}exact
  if (threadIdx.x == 0 && late) out[1] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} late {{ *}}load 8 {{ *}}2 {{ *}}2 {{.*}}exact
}

// What the branch does is of no account, however long it is.
__global__ void nested(const int *in, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 3) flag = in[0];
  __syncthreads();
  if (threadIdx.x == 0) {
    if (flag > 4) {
      // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 32 {{ *}}2 {{ *}}2 {{.*}}exact
      out[0] = 1;
      out[9] = in[2] * 3;
      out[17] = 5;
    }
  }
}

// A store comes first: what follows it stays behind the branch.
__global__ void store_before(const int *in, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 3) flag = in[0];
  __syncthreads();
  if (threadIdx.x == 0) {
    out[4] = 2;
    // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} out[4] {{ *}}store 32 {{ *}}1 {{ *}}1 {{.*}}exact
    if (flag > 4) out[0] = 1;
    // CHECK-DAG: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} flag {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  }
}

// A thread's own element may lie outside of the array where the first test fails.
__global__ void own_element(const int *in, int *out) {
  __shared__ int found[32];
  if (threadIdx.x < 32) found[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32 && found[threadIdx.x] > 4) out[threadIdx.x] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} found[threadIdx.x] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
}

// A pointer may be valid for those only who pass.
__global__ void global_flag(const int *in, int *out) {
  if (threadIdx.x == 0 && in[0]) out[0] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} in[0] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
}

// More arithmetic than a test is worth the branch.
__global__ void dear_test(const int *in, int *out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n && s[3] * n + 7 > s[60]) out[threadIdx.x] = 1;
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[3] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
  // CHECK: {{^ *}}[[#@LINE-2]]:{{[0-9]+}} s[60] {{ *}}load 32 {{ *}}1 {{ *}}1 {{.*}}exact
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  truth<<<1, 64>>>(in, out);
  number<<<1, 64>>>(in, out);
  compared<<<1, 64>>>(in, out);
  flag_first<<<1, 64>>>(in, out);
  either<<<1, 64>>>(in, out, 31);
  two_flags<<<1, 64>>>(in, out);
  nested<<<1, 64>>>(in, out);
  store_before<<<1, 64>>>(in, out);
  own_element<<<1, 64>>>(in, out);
  global_flag<<<1, 64>>>(in, out);
  dear_test<<<1, 64>>>(in, out, 32);
}
