// What a request of all lanes costs is said only where warps may come to the access whole: which lanes the bits of their numbers let through is the same in all
// launches, and no warp of the analysed one does.
// RUN: %lint-short %s --format=oneline --fail-on=never | FileCheck %s --implicit-check-not=32-way

// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: note: 5-way bank conflict: store of s[threadIdx.x * 32] takes up to 5 wavefronts instead of 1 {{.*}}if block=(256,1,1), which is assumed
__global__ void powers_of_two(float *out, float v) {
  __shared__ float s[256 * 32];
  if (__popc(threadIdx.x) == 1)
    s[threadIdx.x * 32] = v;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: warning: 4-way bank conflict: store of s[threadIdx.x * 32] takes 4 wavefronts instead of 1, when blockDim.x % 32 == 0 or
__global__ void columns_of_one_row(short *out, short v) {
  __shared__ short s[257];
  if (threadIdx.x < 8 && threadIdx.y == 0)
    s[threadIdx.x * 32] = v;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
