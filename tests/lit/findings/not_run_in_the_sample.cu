// What the launch that was assumed does not come to has its findings all the same: a claim is about a request, and no value that the tool chose hides it.
// RUN: not %lint-short %s --checks=-smem-uninitialized | FileCheck %s --implicit-check-not='store of dead' --implicit-check-not='store of off'

__global__ void compared(const float *in, float *out, int k, int m) {
  __shared__ float s[8192];
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: store of s[threadIdx.x * 32] takes 32 wavefronts instead of 1, when blockDim.x % 32 == 0
  if (k > m) s[threadIdx.x * 32] = in[threadIdx.x];
  else s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void flag(const float *in, float *out, bool transposed) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (!transposed)
    // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: load of s[threadIdx.x][threadIdx.y] takes 32
    out[threadIdx.x] = s[threadIdx.x][threadIdx.y];
  else
    out[threadIdx.x] = s[threadIdx.y][threadIdx.x];
}

__global__ void mode_of_three(const float *in, float *out, int mode) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  switch (mode) {
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: load of s[threadIdx.x][threadIdx.y] takes 32
  case 1: out[threadIdx.x] = s[threadIdx.x][threadIdx.y]; break;
  case 2: out[threadIdx.x] = s[threadIdx.y][threadIdx.x]; break;
  default: out[threadIdx.x] = 0;
  }
}

__global__ void long_loop(const float *in, float *out, int n) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int i = 2048; i < n; i++)
    // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: load of s[(threadIdx.x + i) % 32][threadIdx.y] takes 32
    out[i] = s[(threadIdx.x + i) % 32][threadIdx.y];
}

// The launch says that it is never executed.
__global__ void known_flag(const float *in, float *out, int on, int n) {
  __shared__ float off[8192];
  if (on) off[threadIdx.x * 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x + n] = off[threadIdx.x];
}
void launch_known_flag(const float *in, float *out, int n) { known_flag<<<1, 256>>>(in, out, 0, n); }

// No launch comes there.
__global__ void never(const float *in, float *out, unsigned n) {
  __shared__ float dead[8192];
  if (threadIdx.x > 1023) dead[threadIdx.x % 256 * 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dead[n % 32];
}
