// A copy whose lines of shared memory come from several lines of global memory: no bank conflict, and more wavefronts all the same.
// RUN: %lint %s --fail-on=never | FileCheck %s

template <int kColumns> __device__ void copy(float (*tile)[kColumns], const float *in) {
  const int row = threadIdx.x / (kColumns / 4), column = threadIdx.x % (kColumns / 4) * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[row][column])), "l"(in + row * 1024 + column));
}

// smem-lint: launch block=(128) grid=(64)
__global__ void half_lines(float *out, const float *in) {
  __shared__ __align__(128) float tile[32][16];
  copy<16>(tile, in);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
}
// CHECK: copies.cu:6:{{[0-9]+}}: note: async copy of {{.*}} fills lines of shared memory piece by piece: it takes 8 wavefronts instead of 4 [smem-copy-lines]
// CHECK: cause: 8 lines of global memory go to 4 lines of shared memory; a wavefront moves from one line to one line

// smem-lint: launch block=(128) grid=(64)
__global__ void whole_lines(float *out, const float *in) {
  __shared__ __align__(128) float tile[16][32];
  copy<32>(tile, in);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x / 32][threadIdx.x % 32];
}
// CHECK: 1 finding (1 note) in 1 file, 2 kernels
