// Kernels that launch kernels: what nvcc makes of the launch is a buffer that the runtime lends and stores into it, which are unknown; what else the kernel does is analysed.
// RUN: %lint --fail-on=never %s -- -rdc=true 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %lint-bare --fail-on=never %s -- -rdc=true 2>&1 | FileCheck --implicit-check-not=error: %s
namespace inner {
__global__ void child(float *p, long n) {
  if (threadIdx.x < n)
    p[threadIdx.x] = 1;
}
} // namespace inner
__global__ void plain(int *p) { p[0] = 1; }

// CHECK-LABEL: {{^}}parent {{.*}}block=(64)
// CHECK-DAG: [[#@LINE+5]]:{{.*}}p[threadIdx.x]{{.*}} load 32 {{ *}}2 {{.*}}exact
// CHECK-DAG: [[#@LINE+4]]:{{.*}}s[threadIdx.x]{{.*}} store 32 {{ *}}2 {{.*}}exact
// CHECK-DAG: [[#@LINE+6]]:{{.*}} unknown
__global__ void parent(float *p, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    inner::
        child<<<
        dim3(n, 1), 32,
        0>>>(p,
             n);
    plain<<<1, 1>>>(reinterpret_cast<int *>(p));
  }
  p[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  float *p;
  cudaMalloc(&p, 4096);
  parent<<<1, 64>>>(p, 64);
}
