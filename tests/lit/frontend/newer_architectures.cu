// Clang knows sm_90a at most: sources are told the architecture that is asked for all the same.
// RUN: %lint --arch=sm_100 --fail-on=never %s 2>&1 | FileCheck %s
// RUN: %lint --arch=sm_90 --fail-on=never %s 2>&1 | FileCheck --check-prefix=HOPPER %s
__global__ void k(const float *in, float *out) {
#if __CUDA_ARCH__ >= 1000
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // CHECK: [[#@LINE+1]]:41: warning: 32-way bank conflict: load of s[threadIdx.x][threadIdx.y]
  out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
#else
  // HOPPER: [[#@LINE+1]]:{{[0-9]+}} {{.*}}out[threadIdx.x] {{.*}}store 32 {{.*}}assumed
  out[threadIdx.x] = __CUDA_ARCH__;
#endif
}
void run(float *in, float *out) { k<<<1, dim3(32, 32)>>>(in, out); }
