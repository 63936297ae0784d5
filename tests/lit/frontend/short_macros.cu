// Macros of the command line do not reach into the headers that nvcc does not include, and reach the user's code, redefined and undefined in order.
// RUN: %lint --fail-on=never %s -- -DN=32 -DX=1 -DV=3 -DT -DW=1 -UW -DMAKE_WIDE=1 | FileCheck %s
#ifdef W
#error W is undefined
#endif
static_assert(N == 32 && X == 1 && V == 3 && T == 1 && MAKE_WIDE == 1);

// smem-lint: launch block=(32) grid=(1)
__global__ void stores(float *out) {
  __shared__ float s[N];
  s[threadIdx.x % N] = V;
  // CHECK: 11:{{.*}}store 32 {{ *}}1 {{ *}}1 {{ *}}1 {{.*}}exact
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
