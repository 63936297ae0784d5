// A loop that another thread may end is none that never ends; one that nothing can end is.
// RUN: not %lint %s | FileCheck %s --implicit-check-not=unbounded-loop

// CHECK: loops_without_end.cu:[[#@LINE+25]]:{{.*}}a loop that never ends: no condition in it changes [unbounded-loop]
// CHECK: waits grid=(1) block=(64)
// CHECK: unknown: a loop that ends only if another thread writes what it reads
// smem-lint: launch block=64 grid=1
__global__ void waits(const float *in, float *out) {
  __shared__ volatile int flag;
  __shared__ volatile float value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = in[0];
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (!flag)
      ;
    out[0] = value;
  }
}

// smem-lint: launch block=64 grid=1 n=1
__global__ void never_ends(float *out, int n) {
  __shared__ float s[64];
  for (int i = 0; n;)
    s[(threadIdx.x + i++) % 64] = out[0];
  out[threadIdx.x] = s[threadIdx.x];
}
