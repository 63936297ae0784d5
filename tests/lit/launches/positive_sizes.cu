// Sizes that nothing tells are not negative where others lead to the launch as well: a block of (-1) * (-1) * 1 threads is none that anybody means.
// RUN: %lint --fail-on=never %s | FileCheck %s --implicit-check-not="cells_x = -1"

__global__ void hist(float *p, int threads) {
  __shared__ float s[1024];
  s[threadIdx.x] = p[threadIdx.x * threads];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x];
}

int power_of_two_above(int n) {
  for (int i = 1; i <= 1024; i *= 2)
    if (n < i)
      return i;
  return -1;
}

// CHECK: cell = 511, cells_x = 1, cells_y = 1 (parameters of run): block=(1024,1,1) follows from the host code
void run(int cell, int cells_x, int cells_y, float *p) {
  const int patch = cell + cell / 4 * 2;
  const int threads = power_of_two_above(patch);
  dim3 block(threads * cells_x, cells_y);
  hist<<<8, block>>>(p, threads);
}
