// An address that thirty choices add up to is looked at once, not once for each way through them.
// RUN: %lint --fail-on=never %s | FileCheck %s
// smem-lint: launch block=(32) grid=(1)
__global__ void sum_of_choices(const int *in, const int *limits, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int at = 0;
#pragma unroll
  for (int i = 0; i < 30; ++i)
    if (limits[i] < limits[31])
      at += 16;
  // CHECK: [[#@LINE+1]]:12 in[at] {{.*}}load 32 {{ *}}1 {{.*}}assumed
  out[0] = in[at] + s[31 - threadIdx.x];
}
