// A hint holds for every request, not for the costliest alone; there is none for copies, whose source decides with; a load of a class type has the name of
// what is loaded.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_fp16.h>

// smem-lint: launch block=(32,32) grid=(4)
__global__ void transposed(const half *in, half *out) {
  __shared__ half tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  // CHECK: [[#@LINE-1]]:{{.*}}16-way bank conflict: load of tile[threadIdx.x][threadIdx.y]
  // CHECK: hint: pad the rows: `half tile[32][34]` makes it 1 wavefront
}

// smem-lint: launch block=(256) grid=(4)
__global__ void copied(const float *in, float *out) {
  __shared__ float rows[64][16];
  const int x = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&rows[x / 4][x % 4 * 4])), "l"(in + x / 4 * 1024 + x % 4 * 4));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[x] = rows[x / 16][x % 16];
  // CHECK-NOT: 0 wavefronts
  // CHECK-NOT: 1-way
}

// Longer rows that free the columns of half a warp let the rows meet.
// smem-lint: launch block=(16,16) grid=(4)
__global__ void half_rows(const float *in, float *out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  // CHECK: [[#@LINE-1]]:{{.*}}8-way bank conflict: load of tile[threadIdx.x][threadIdx.y]
  // CHECK: hint: pad the rows: `float tile[16][18]` makes it 1 wavefront; the access on line [[#@LINE-4]] takes 2 then
}
