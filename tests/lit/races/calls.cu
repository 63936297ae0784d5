// Of two accesses of one function, the calls tell which is which.
// RUN: %lint --fail-on=never %s | FileCheck %s

__device__ void put(float *s, int at, float value) {
  s[at] = value;
  // CHECK: [[#@LINE-1]]:9: {{.*}}race: thread ({{[0-9,]*}}) (called from line [[#@LINE+5]]) and thread ({{[0-9,]*}}) (called from line [[#@LINE+6]]) both write s[at], with no __syncthreads() between them
}

__global__ void apart(float *out, const float *in) {
  __shared__ float s[256];
  put(s, threadIdx.x, in[threadIdx.x]);
  put(s, 255 - threadIdx.x, in[256 + threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
void run(float *out, const float *in) { apart<<<4, 256>>>(out, in); }
