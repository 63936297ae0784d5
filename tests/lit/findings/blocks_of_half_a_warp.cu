// In blocks of 16 threads no request has all lanes: what such a request would cost is no claim about these launches.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not='whose lanes are all active' --implicit-check-not=4-way
// CHECK: :[[#@LINE+6]]:{{.*}} 2-way bank conflict: load of s[(threadIdx.x / 8) * 512 + 40] takes 2 wavefronts instead of 1, for any value of gridDim.x
__global__ void halves(float *o) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 16)
    s[i] = i;
  __syncthreads();
  o[blockIdx.x * 16 + threadIdx.x] = s[(threadIdx.x / 8) * 512 + 40];
}
// CHECK-NOT: bank conflict
__global__ void sixteen(float *o) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 16)
    s[i] = i;
  __syncthreads();
  o[blockIdx.x * 16 + threadIdx.x] = s[(threadIdx.x / 16) * 512 + threadIdx.x % 16];
}
void run(float *o, int n) {
  halves<<<n, 16>>>(o);
  sixteen<<<n, 16>>>(o);
}
