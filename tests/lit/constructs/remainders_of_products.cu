// A product's remainder by one of its factors is 0 to LLVM 19, if the product does not wrap. nvcc, which is older, divides: it sees neither neighbours nor one
// address for all lanes (7 kernels, machine code read). By a power of two, it knows the low bits (PTX read of one more).
// RUN: %lint --checks=-* %s | FileCheck %s

__global__ void neighbours(float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t * 15 % 5] = 1;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{ *}}8 {{ *}}8 {{.*}}exact
  s[t * 15 % 5 + 1] = 2;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{ *}}8 {{ *}}8 {{.*}}exact
  __syncthreads();
  out[t] = s[t];
}

__global__ void one_place(int *out, const int *in) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t * 96 % 12], in[t]);
  // CHECK: [[#@LINE-1]]:{{.*}}atomic 32 {{ *}}8 {{ *}}256 {{.*}}exact
  __syncthreads();
  out[t] = s[t];
}

__global__ void by_a_power_of_two(float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t * 32 % 16] = 1;
  s[t * 32 % 16 + 1] = 2;
  // CHECK: [[#@LINE-1]]:{{.*}}store 64 {{ *}}8 {{ *}}16 {{.*}}assumed
  __syncthreads();
  out[t] = s[t];
}

void run(float *out, int *counts, const int *in) {
  neighbours<<<1, 256>>>(out);
  one_place<<<1, 256>>>(counts, in);
  by_a_power_of_two<<<1, 256>>>(out);
}
