// Of a launch of which something was assumed a warning has the figures of the claim, and says where it holds; those that were counted in a launch of the tool's own
// making are in no message.
// RUN: not %lint-short %s --format=oneline --checks='-smem-race,-smem-uninitialized' --set 'pitch%8==0' --set 'pitch>=1' | FileCheck %s

// What is stated of the pitch leaves 8-, 16- and 32-way conflicts; the value that was chosen has one of them.
__global__ void pitched(const float *in, float *out, int pitch) {
  extern __shared__ float s[];
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: at least 8-way bank conflict: store of s[threadIdx.x * pitch] takes at least 8 wavefronts instead of 1, when pitch % 8 == 0 and pitch >= 1 [smem-bank-conflict]
  s[threadIdx.x * pitch] = in[threadIdx.x];
}
void launch_pitched(const float *in, float *out, int n) { pitched<<<1, 256, 64 << 10>>>(in, out, n); }

// A part of the lanes never comes there; of the others `n` decides. nvcc may merge the stores of both branches: the claim is as modelled, and says of which requests it is.
__global__ void half_of_the_lanes(float *out, int n, int m) {
  __shared__ float s[4096];
  const int t = threadIdx.x;
  if (t % 2)
    return;
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 4-way bank conflict: store of s[t * 4] takes 4 wavefronts instead of 1, in requests of all 16 lanes that may be active, when blockDim.x % 32 == 0 or the block is one row
  if (t < n) s[t * 4] = 1;
  __syncwarp();
  if (t > m)
    out[t] = s[t];
  else
    // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 8-way bank conflict: load of s[t * 8 % 4096] takes 8 wavefronts instead of 1, in requests of all 16 lanes that may be active, when
    out[t * 2] = s[t * 8 % 4096];
}

// The sample has half a warp, the claim a whole one.
__global__ void some_lanes(const float *in, float *out, int n) {
  const int t = threadIdx.x;
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: uncoalesced store of out[t * 8] moves 32 sectors instead of 4, in warps whose lanes are all active, in all launches with block=(256,1,1)
  if (t < n / 64) out[t * 8] = in[t];
}
void launch_some_lanes(const float *in, float *out, int n) { some_lanes<<<1, 256>>>(in, out, n); }

// Of the block nothing is known but that it is one row.
__global__ void firsts(const float *in, float *out) {
  __shared__ float s[32 * 33];
  const int t = threadIdx.x;
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: store of s[t * 32] takes 32 wavefronts instead of 1, in warps whose lanes are all active, in all launches with blockDim.y == 1 and blockDim.z == 1
  if (t < blockDim.x / 32) s[t * 32] = in[t];
  __syncthreads();
  out[t] = s[t];
}
void launch_firsts(const float *in, float *out, int n) { firsts<<<1, n>>>(in, out); }

// Its steps cost one to 32 wavefronts each, and all of them together the same in every block, whatever `n` is.
__global__ void up_sweep(const int *in, int *out, int n) {
  __shared__ int s[2048];
  const int t = threadIdx.x, start = 2048 * blockIdx.x;
  s[t] = start + t < n ? in[start + t] : 0;
  s[t + 1024] = start + t + 1024 < n ? in[start + t + 1024] : 0;
  int offset = 1;
  for (int d = 1024; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: warning: 32-way bank conflict: store of s[offset * (2 * t + 2) - 1] takes up to 32 wavefronts instead of 1 (5.63 on average), for any value of n, gridDim.x
      s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (start + t < n)
    out[start + t] = s[t];
}
void launch_up_sweep(const int *in, int *out, int n) { up_sweep<<<(n + 2047) / 2048, 1024>>>(in, out, n); }
