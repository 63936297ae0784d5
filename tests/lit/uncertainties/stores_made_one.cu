// `if (k >= t) *p = x;` in an unrolled loop: nvcc makes the copies one store, which has no location and is counted on whatever line comes before it. The next store is assumed then.
// RUN: %lint --checks=-* %s | FileCheck %s

__global__ void copies(float *out, float *last, const float *in) {
  const int t = threadIdx.x;
  const float x = in[t];
  for (int k = 0; k < 2; ++k)
    if (k >= t)
      out[t * 65 + 31] = x;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}assumed
  last[t] = x;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}assumed
}

// Of unknown length it is unrolled all the same.
__global__ void repeated(float *out, const float *in, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k)
    if (k * 8 >= t)
      s[t * 2 & 63] = 2;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}assumed
  s[t ^ 64] = in[t];
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}assumed
  __syncthreads();
  out[t] = s[127 - t];
}

// Two conditions of the source stay two stores.
__global__ void two(float *out, float *last, const float *in) {
  const int t = threadIdx.x;
  const float x = in[t];
  if (t <= 3)
    out[t * 65 + 31] = x;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}exact
  if (t <= 7)
    out[t * 65 + 31] = x;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}exact
  last[t] = x;
  // CHECK: [[#@LINE-1]]:{{.*}}store 32 {{.*}}exact
}

void run(int n) {
  float *out, *last, *in;
  cudaMalloc(&out, 65536);
  cudaMalloc(&last, 65536);
  cudaMalloc(&in, 65536);
  copies<<<8, 128>>>(out, last, in);
  repeated<<<8, 128>>>(out, in, 5);
  two<<<8, 128>>>(out, last, in);
}
