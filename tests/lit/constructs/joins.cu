// Where lanes meet again between two branches: as in nvcc 13.0's PTX, before the second comparison, unless nothing stands between two
// branches on one condition. A store that ran once for each side would count twice here. The figures are an H200's counters.
// RUN: %lint --cuda-path=none --fail-on=never %s | FileCheck %s

__global__ void constants(int *out, int n) {
  const int t = threadIdx.x;
  for (int k = 0; k < 10; k += 2)
    if (k != t) out[blockIdx.x * n + k * 64 + t] = n;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} out[blockIdx.x * n + k * 64 + t] {{ *}}store 32 {{ *}}20 {{.*}}exact
}

__global__ void one_condition(int *out, int n) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  const bool chosen = t > n;
  if (chosen) s[t] = n;
  s[t + 64] = t;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 64] {{ *}}store 32 {{ *}}4 {{.*}}exact
  if (chosen) s[t + 128] = n;
  s[t + 1] = t * 3;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} s[t + 1] {{ *}}store 32 {{ *}}4 {{.*}}exact
  if (!chosen) s[t + 32] = n + 1;
  __syncthreads();
  out[t] = s[255 - t];
}

// One branch in the end, in which the last store to a place is the only one.
__global__ void nothing_between(int *out, int n) {
  const int t = threadIdx.x;
  for (int k = 0; k < 6; ++k)
    if (t > n) out[t] = k;
  // CHECK: [[#@LINE-1]]:{{[0-9]+}} out[t] {{ *}}store 32 {{ *}}4 {{.*}}assumed
}

int main() {
  int *a;
  cudaMalloc(&a, 1 << 20);
  constants<<<4, 32>>>(a, 3);
  one_condition<<<4, 32>>>(a, 3);
  nothing_between<<<4, 32>>>(a, 3);
}
