// A note names the assumed values that decide: members of structures, parameters that a quantity without words is computed from; when the block is stated, what is
// left, and never the grid or the dynamic shared memory, which decide no request's cost here.
// RUN: %lint --checks='-*,smem-bank-conflict,gmem-uncoalesced' %s | FileCheck %s --implicit-check-not=warning:
// RUN: %lint-short --format=oneline --checks='-*,smem-bank-conflict,gmem-uncoalesced' --launch 'member:block=256' --launch 'derived:block=256' %s | FileCheck %s --check-prefix=STATED --implicit-check-not=block=(
struct Sizes { const float *x; float *y; int rows, columns; };

__global__ void member(Sizes p) {
  extern __shared__ float s[];
  // CHECK: [[#@LINE+3]]:{{[0-9]+}}: note: 32-way bank conflict: store of s[threadIdx.x * p.columns] {{.*}} if block=(256,1,1), p.columns=32, which are assumed
  // CHECK: hint: state it: --launch 'member:block=<value> p.columns=<value>'
  // STATED: [[#@LINE+1]]:{{[0-9]+}}: note: {{.*}} if p.columns=32, which is assumed
  s[threadIdx.x * p.columns] = p.x[threadIdx.x];
  __syncthreads();
  p.y[threadIdx.x] = s[threadIdx.x];
}

// CHECK: [[#@LINE+3]]:{{[0-9]+}}: note: uncoalesced load of in[threadIdx.x * (k % 7 + 1)] {{.*}} if block=(256,1,1), k=1024, which are assumed
// STATED: [[#@LINE+2]]:{{[0-9]+}}: note: uncoalesced load of in[threadIdx.x * (k % 7 + 1)] {{.*}} if k=1024, which is assumed
__global__ void derived(const float *in, float *out, int unused, int k) {
  out[threadIdx.x] = in[threadIdx.x * (k % 7 + 1)];
}
