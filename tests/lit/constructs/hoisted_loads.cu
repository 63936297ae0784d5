// Where loads are counted that leave a loop. nvcc drops their line if it hoists them before it unrolls loops, and keeps it if it does so afterwards; a loop that
// `#pragma unroll` makes larger than full unrolling allows is unrolled before either. Lines read off nvcc 13.0's PTX and line table.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(1) n=3" %s | FileCheck %s

// The inner loop is unrolled first: its loads leave the loop around it with their line.
// CHECK: after_unrolling  grid=
__global__ void after_unrolling(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = 0;
  for (int k = 0; k < n; ++k) {
    v += k;
    for (int i = 0; i < 5; ++i)
      v = v * v +
          in[i];
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[i] {{ *}}load 32 {{ *}}10 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// That it stands in a function makes no difference.
__device__ float row(const float *in, float v) {
  for (int i = 0; i < 5; ++i)
    v = v * v +
        in[i];
  return v;
}
// CHECK: in_function  grid=
__global__ void in_function(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = 0;
  for (int k = 0; k < n; ++k)
    v = row(in, v + k);
  // CHECK: [[#@LINE-8]]:{{[0-9]+}} in[i] {{ *}}load 32 {{ *}}10 {{.*}}assumed
  out[threadIdx.x] = v;
}

// The load leaves the inner loop before that is unrolled: it is counted with the barrier.
// CHECK: before_unrolling  grid=
__global__ void before_unrolling(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; ++i)
      v = v * v + in[k];
    // CHECK: [[#@LINE-4]]:{{[0-9]+}} {{.*}}load 32 {{ *}}6 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// 64 iterations are unrolled before that.
// CHECK: told_to_unroll  grid=
__global__ void told_to_unroll(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; ++i)
      v = v * v + in[k];
    // CHECK: [[#@LINE-1]]:{{[0-9]+}} in[k] {{ *}}load 32 {{ *}}6 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}

// As many without the pragma are not.
// CHECK: not_told  grid=
__global__ void not_told(float *__restrict__ out, const float *__restrict__ in, int n) {
  float v = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      v = v * v + in[k];
    // CHECK: [[#@LINE-3]]:{{[0-9]+}} {{.*}}load 32 {{ *}}6 {{.*}}assumed
  }
  out[threadIdx.x] = v;
}
