// The figures of a finding are those of the claim: all lanes of a warp, of which the launch that is assumed has eight.
// RUN: %lint-short %s --format=oneline --checks='-*,smem-bank-conflict' | FileCheck %s

// CHECK: [[#@LINE+7]]:{{[0-9]+}}: note: 8-way bank conflict: store of p[i] takes 32 wavefronts instead of 4, in warps whose lanes are all active, {{.*}}if N=32, which is assumed
template <int N> __global__ void of_a_template(float *out, int n) {
  extern __shared__ __align__(16) float s[];
  if (blockIdx.x * blockDim.x + threadIdx.x >= n)
    return;
  float4 *p = (float4 *)(s + threadIdx.x * N * 30);
  for (int i = 0; i < 240; i++)
    p[i] = make_float4(0, 0, 0, 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x * N * 30 + 5];
}
