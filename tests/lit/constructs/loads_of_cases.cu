// A load before a switch that a single case uses goes into that case before equal loads become one (96 switches, PTX and machine code of nvcc 13.0 read). What an if has both sides load is one.
// RUN: %lint --fail-on=never %s | FileCheck %s

// smem-lint: launch block=128 grid=2
__global__ void of_switch(const int *in, int *out) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  // CHECK-DAG: [[#@LINE+1]]:17  in[t] {{ *}}load 32 {{ *}}2 {{ *}}8 {{ *}}8 {{ *}}2 {{ *}}1x {{ *}}assumed
  const int v = in[t];
  switch (t / 32) {
  case 0:
    // CHECK-DAG: [[#@LINE+1]]:16  in[t] {{ *}}load 32 {{ *}}2 {{ *}}8 {{ *}}8 {{ *}}2 {{ *}}1x {{ *}}assumed
    s[t + 3] = in[t] * 3;
    break;
  case 1: s[t + 5] = 5; break;
  case 2: s[t + 9] = 6; break;
  default: s[t] = v + 1;
  }
  __syncthreads();
  out[t] = s[t ^ 1];
}

// smem-lint: launch block=128 grid=2
__global__ void of_if(const int *in, int *out) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  // CHECK-DAG: [[#@LINE+1]]:17  in[t] {{ *}}load 32 {{ *}}8 {{ *}}32 {{ *}}32 {{ *}}8 {{ *}}1x {{ *}}exact
  const int v = in[t];
  if (t & 1)
    s[t] = in[t] * 3;
  else
    s[t] = v + 1;
  __syncthreads();
  out[t] = s[t ^ 1];
}
