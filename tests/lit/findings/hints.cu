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

// A pointer does not follow where the rows are made longer.
// smem-lint: launch block=(64) grid=(4)
__global__ void filled_as_one_row(const float *in, float *out) {
  __shared__ float tile[64][64];
  for (int i = threadIdx.x; i < 64 * 64; i += 64)
    ((float *)tile)[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][in[0] > 0];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of tile[threadIdx.x]
  // CHECK: hint: pad the rows: `float tile[64][65]` makes it 1 wavefront; line [[#@LINE-4]], which goes by a pointer, has to follow if it counts on rows of 64 elements
}

// smem-lint: launch block=(64) grid=(4)
__global__ void filled_from_its_first_element(const float *in, float *out) {
  __shared__ float tile[64][64];
  for (int i = threadIdx.x; i < 64 * 64; i += 64)
    *(&tile[0][0] + i) = in[i];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][in[0] > 0];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of tile[threadIdx.x]
  // CHECK: hint: pad the rows: {{.*}}; line [[#@LINE-4]], which goes by a pointer, has to follow
}

// An address of one element moves with it.
// smem-lint: launch block=(64) grid=(4)
__global__ void filled_by_vectors(const float4 *in, float *out) {
  __shared__ float tile[64][64];
  for (int i = 0; i < 64; i += 4)
    *(float4 *)&tile[threadIdx.x][i] = in[threadIdx.x * 16 + i / 4];
  __syncthreads();
  for (int i = 0; i < 64; ++i)
    out[i * 64 + threadIdx.x] = tile[threadIdx.x][i];
  // CHECK: [[#@LINE-1]]:{{.*}}bank conflict: load of tile[threadIdx.x][i]
  // CHECK-NOT: which goes by a pointer
}

// 384 rows of 33 floats are more than 48 KiB, of which no kernel has more in static arrays.
// smem-lint: launch block=(384) grid=(4)
__global__ void nearly_full(const float *in, float *out) {
  __shared__ float tile[384][32];
  for (int r = threadIdx.x / 32; r < 384; r += 12)
    tile[r][threadIdx.x % 32] = in[r * 32 + threadIdx.x % 32];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][in[0] > 0];
  // CHECK: [[#@LINE-1]]:{{.*}}32-way bank conflict: load of tile[threadIdx.x]
  // CHECK: hint: longer rows would be more than the 49,152 bytes that static arrays may have together; --suggest-fixes tries to swizzle the index
}
