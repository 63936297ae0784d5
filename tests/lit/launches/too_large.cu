// A launch that host code leads to, but whose blocks cannot have their shared memory, is not said to leave its arrays.
// RUN: not %lint-short %s --table | FileCheck %s
__global__ void pitched(const float *in, float *out, int n) {
  extern __shared__ float s[];
  // CHECK: [[#@LINE+1]]:22: warning: 32-way bank conflict: store of s[threadIdx.x * n] takes 32 wavefronts instead of 1, when n
  s[threadIdx.x * n] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * n];
}
void launch(const float *in, float *out, int n) {
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: note: launch of pitched is not known entirely; the launch that was tried takes 524,288 bytes of shared memory a block, more than 232,448, so it is not reported [launch-unknown]
  if (n == 512) pitched<<<1, 256, 256 * n * 4>>>(in, out, n);
}
