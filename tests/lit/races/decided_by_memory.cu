// A barrier behind a condition on memory that one of the threads has just written: what the others find there is not known, so that all may come to it.
// RUN: %lint-short --fail-on=never %s | FileCheck %s --implicit-check-not=barrier-divergence

// smem-lint: launch block=256 grid=4
__global__ void perhaps_all(int *q) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t;
  if (t == 7)
    q[0] = 1;
  if (q[0])
    __syncthreads();
  q[t + 1] = s[t];
}

// CHECK: [[#@LINE+7]]:5: warning: a block barrier is reached by only some lanes of a warp [barrier-divergence]
// smem-lint: launch block=256 grid=4
__global__ void not_all(int *q) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t;
  if (t % 2 == 0)
    __syncthreads();
  q[t + 1] = s[t];
}
