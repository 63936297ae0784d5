// A volatile variable of a thread is a register to ptxas, which drops what nothing reads: a sink for benchmarks that does not hold. As in nvcc's machine code, 13.0 for sm_90.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint --fail-on=never %s | FileCheck --check-prefix=GONE %s
__global__ void sink(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[t] {{ *}}store 32 {{.*}}exact
  __syncthreads();
  volatile int gone = s[63 - t];
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  volatile int read = s[t / 2];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[t / 2] {{ *}}load 32 {{.*}}exact
  volatile int twice;
  twice = s[t / 8];
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  twice = s[t / 4];
  // CHECK: {{^ *}}[[#@LINE-1]]:{{[0-9]+}} s[t / 4] {{ *}}load 32 {{.*}}exact
  out[t] = read + twice;
}

__global__ void timed(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  volatile float gone;
  for (int i = 0; i < n; ++i)
    gone = s[(t + i) % 64];
  // GONE-NOT: {{^ *}}[[#@LINE-1]]:
  out[t] = n;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  sink<<<1, 64>>>(in, out);
  timed<<<1, 64>>>(in, out, 5);
}
