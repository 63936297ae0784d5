// Of a 64-bit integer of which one half is used the compiler loads that half, wherever it is (machine code: LDS, LDG; of both halves LDS.64).
// RUN: %lint --fail-on=never %s | FileCheck %s
// smem-lint: launch block=(256) grid=(1)
__global__ void halves(unsigned *out, const unsigned long long *__restrict__ in) {
  __shared__ unsigned long long s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const unsigned low = (unsigned)s[255 - threadIdx.x];
  __syncthreads();
  const unsigned high = (unsigned)(s[threadIdx.x ^ 3] >> 32);
  __syncthreads();
  const unsigned long long both = s[threadIdx.x ^ 5];
  out[threadIdx.x] = low + high + (unsigned)both + (unsigned)(both >> 32) + (unsigned)in[threadIdx.x + 256];
}
// CHECK: {{^ *}}6:{{.*}}store 64 {{ *}}8 {{ *}}16 {{ *}}16 {{ *}}-  exact
// CHECK: {{^ *}}8:{{.*}}load 32 {{ *}}8 {{ *}}16 {{ *}}8 {{ *}}2-way  exact
// CHECK: {{^ *}}10:{{.*}}load 32 {{ *}}8 {{ *}}16 {{ *}}8 {{ *}}2-way  exact
// CHECK: {{^ *}}12:{{.*}}load 64 {{ *}}8 {{ *}}16 {{ *}}16 {{ *}}-  exact
// CHECK: {{^ *}}6:{{.*}}load 64 {{.*}}exact
// CHECK: {{^ *}}13:{{.*}}load 32 {{.*}}exact
