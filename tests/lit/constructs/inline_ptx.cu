// Memory instructions written as inline PTX are sites like any other.
// RUN: not %lint --checks=-smem-uninitialized %s | FileCheck %s
// smem-lint: launch block=(32) grid=(2)
__global__ void ptx(float *out) {
  __shared__ float tile[32 * 32];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  float value = threadIdx.x;
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(base + threadIdx.x * 4), "f"(value) : "memory");
  __syncthreads();
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(base + threadIdx.x * 128) : "memory");
// CHECK: inline_ptx.cu:[[#@LINE-1]]:{{[0-9]+}}: warning: 32-way bank conflict: load of {{.*}} takes 32 wavefronts instead of 1 [smem-bank-conflict]
  out[threadIdx.x] = value;
}
// CHECK-NOT: warning:
// CHECK: {{^ *}}8:{{[0-9]+}} {{.*}}store 32 {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}-  exact
// CHECK: {{^ *}}10:{{[0-9]+}} {{.*}}load 32 {{ *}}2 {{ *}}64 {{ *}}2 {{ *}}32-way  exact
