// A store of one value to one place in two loops of unknown length: LLVM makes it once behind both, nvcc makes it so as well (`nest`) or twice (`in_a_third`; machine code read).
// RUN: %lint --fail-on=never %s | FileCheck %s

// CHECK-LABEL: {{^}}nest
// CHECK: tile[threadIdx.x] {{ *}}store 64 {{ *}}1 {{.*}}assumed (1)
// CHECK: (1) assumed: nvcc neither eliminates nor repeats this access
// smem-lint: launch block=(32) grid=(1) times=3
__global__ void nest(const double *__restrict__ in, double *out, int times) {
  __shared__ double tile[32];
  for (int i = 0; i < times; ++i)
    for (int j = 0; j < times; ++j)
      tile[threadIdx.x] = in[threadIdx.x * 2];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// CHECK-LABEL: {{^}}in_a_third
// CHECK: tile[threadIdx.x] {{ *}}store 64 {{.*}}assumed (1)
// CHECK: (1) assumed: nvcc neither eliminates nor repeats this access
// smem-lint: launch block=(32) grid=(1) tiles=2 times=3
__global__ void in_a_third(const double *__restrict__ in, double *out, int tiles, int times, int stride) {
  __shared__ double tile[32];
  double sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < times; ++i)
      for (int j = 0; j < times; ++j) {
        const double value = in[min(threadIdx.x * stride, 100)];
        tile[threadIdx.x] = value;
      }
    __syncthreads();
    sum += tile[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: {{^}}one_loop
// CHECK: tile[threadIdx.x] {{ *}}store 64 {{ *}}1 {{.*}}exact
// smem-lint: launch block=(32) grid=(1) times=3
__global__ void one_loop(const double *__restrict__ in, double *out, int times) {
  __shared__ double tile[32];
  for (int i = 0; i < times; ++i)
    tile[threadIdx.x] = in[threadIdx.x * 2];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
