// Every instantiation is a kernel of its own, with the template arguments in its name; a finding of several names the worst.
// RUN: not %lint --checks=-smem-uninitialized %s | FileCheck %s
template <typename T, int STRIDE> __global__ void strided(T *out) {
  __shared__ T line[64 * STRIDE];
  line[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x * STRIDE];
// CHECK: templates.cu:[[#@LINE-1]]:22: warning: 32-way bank conflict: load of line[threadIdx.x * STRIDE] takes 32 wavefronts instead of 1 (in 2 of 4 instantiations; the worst is shown) [smem-bank-conflict]
// CHECK-NOT: warning:
}
// CHECK: strided<float, 1>  grid=(1) block=(64)
// CHECK: 7:22  line[threadIdx.x * STRIDE] {{ *}}load 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  exact
// CHECK: strided<float, 2>  grid=(1) block=(64)
// CHECK: 7:22  line[threadIdx.x * STRIDE] {{ *}}load 32 {{ *}}2 {{ *}}4 {{ *}}2 {{ *}}2-way  exact
// CHECK: strided<float, 32>  grid=(1) block=(64)
// CHECK: 7:22  line[threadIdx.x * STRIDE] {{ *}}load 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32-way  exact
// CHECK: strided<short, 1>  grid=(1) block=(64)
// CHECK: 7:22  line[threadIdx.x * STRIDE] {{ *}}load 16 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  exact
void run(float *f, short *s) {
  strided<float, 1><<<1, 64>>>(f);
  strided<float, 2><<<1, 64>>>(f);
  strided<float, 32><<<1, 64>>>(f);
  strided<short, 1><<<1, 64>>>(s);
}
