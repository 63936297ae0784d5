// Kernels of which no launch says how many threads a block has: likely blocks are tried. Where each is free of races, or none is, the verdict is assumed.
// RUN: %races %s | FileCheck --match-full-lines %s

// Whatever number of threads reverses its own elements.
// CHECK:reverse grid {{.*}}: free (between warps free, within a warp free) under assumed values: block: not known from the source; no launch races with any of the 32 blocks that were tried; free in every launch with blocks (256,1,1) (32,1,1) (64,1,1) (128,1,1) (512,1,1) (1024,1,1) (96,1,1) {{.*}} (992,1,1)
__global__ void reverse(float *data, int n) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n)
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

// The bounds allow fewer.
// CHECK:bounded grid {{.*}}: free (between warps free, within a warp free) under assumed values: block: not known from the source; no launch races with any of the 3 blocks that were tried; free in every launch with blocks (96,1,1) (32,1,1) (64,1,1)
__global__ void __launch_bounds__(96) bounded(float *data) {
  extern __shared__ float any[];
  any[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = any[blockDim.x - 1 - threadIdx.x];
}

// A warp reverses what it has written itself; more warps overwrite each other's.
// CHECK:of_a_warp grid {{.*}}: unknown {{.*}}: how many threads a block has is not known, and threads race with (256,1,1); free in every launch with blocks (32,1,1)
__global__ void of_a_warp(float *data) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncwarp();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

// Each half is added to the other; a number that is odd loses an element, and races with nothing.
// CHECK:halves grid {{.*}}: free (between warps free, within a warp free) under assumed values: block: not known from the source; no launch races with any of the 32 blocks that were tried; free in every launch with blocks (256,1,1) (32,1,1) (64,1,1) (128,1,1) (512,1,1) (1024,1,1){{.*}}
__global__ void halves(float *data) {
  __shared__ float sum[1024];
  sum[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      sum[threadIdx.x] += sum[threadIdx.x + s];
    __syncthreads();
  }
  data[blockIdx.x] = sum[0];
}

// Larger blocks leave the tile, and are not looked at; others than square ones read what no thread has written.
// CHECK:square grid {{.*}}: free (between warps free, within a warp free) under assumed values: block: not known from the source; no launch races with any of the 2 blocks that were tried, {{[0-9]+}} others leave the kernel's arrays; free in every launch with blocks (16,16,1) (8,8,1)
__global__ void square(float *data) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = data[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  data[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// No barrier, in no block: whatever the block is, there is a race. That of the usual block is shown.
// CHECK:without_barrier grid {{.*}}: race (between warps race, within a warp race) under assumed values: block=(256,1,1): not known from the source, and threads race in 6 blocks that were tried
// CHECK:  within a warp: line [[#@LINE+5]] write by (1,0,0), line [[#@LINE+6]] read by (0,0,0) of block (0,0,0), byte 4 of tile, interval 0
// CHECK:  between warps: line [[#@LINE+5]] read by (31,0,0), line [[#@LINE+4]] write by (32,0,0) of block (0,0,0), byte 128 of tile, interval 0
// CHECK:  between warps: line [[#@LINE+3]] write by (0,0,0), line [[#@LINE+4]] read by (255,0,0) of block (0,0,0), byte 0 of tile, interval 0
__global__ void without_barrier(float *data) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

// How much dynamic memory there is is not known either, and decides.
// CHECK:as_many_as_there_are grid {{.*}}: unknown {{.*}}: how many threads a block has is not known
__global__ void as_many_as_there_are(float *data) {
  extern __shared__ float any[];
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  any[threadIdx.x % (bytes / 4)] = data[threadIdx.x];
}

// Dynamic shared memory whose size is not known: blocks that seem to leave it may be just those that race.
// CHECK:large_only grid {{.*}}: unknown {{.*}}
__global__ void large_only() {
  extern __shared__ float s[];
  s[threadIdx.x * 32] = 0;
  if (threadIdx.x >= 400)
    s[0] = threadIdx.x;
}

// Blocks with which the kernel does nothing are no blocks that are free of races: it is meant for the one that races.
// CHECK:for_one_block grid {{.*}}: race (between warps race, within a warp free) under assumed values: block=(256,1,1): not known from the source, and threads race in 1 block that was tried
__global__ void for_one_block(float *data) {
  __shared__ float tile[256];
  if (blockDim.x != 256)
    return;
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[255 - threadIdx.x];
}

// CHECK:for_two_blocks grid {{.*}}: free (between warps free, within a warp free) under assumed values: {{.*}}; free in every launch with blocks (64,1,1) (128,1,1)
__global__ void for_two_blocks(float *data) {
  __shared__ float tile[128];
  if (blockDim.x != 64 && blockDim.x != 128)
    return;
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

// Fewer threads than the array has elements read what no thread has written: it is meant for 512, of which lanes of a warp race.
// CHECK:dot grid {{.*}}: race (between warps free, within a warp race) under assumed values: block=(512,1,1): not known from the source, and threads race in 1 block that was tried
__global__ void dot(const float *a, float *target) {
  __shared__ float s[512];
  s[threadIdx.x] = a[blockIdx.x * 512 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 256)
    s[threadIdx.x] += s[threadIdx.x + 256];
  __syncthreads();
  if (threadIdx.x < 16)
    s[threadIdx.x] += s[threadIdx.x + 8];
  if (threadIdx.x == 0)
    target[blockIdx.x] = s[0];
}
