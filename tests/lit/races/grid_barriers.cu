// Barriers of the grid: what all threads of all blocks have passed orders accesses of two blocks.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// smem-lint: launch grid=2 block=32
__global__ void with_barrier(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int next = a[i + 1];
  cg::this_grid().sync();
  a[i] = next;
}
// CHECK:with_barrier grid (2,1,1) block (32,1,1): free (between warps free, within a warp free, between blocks free)

// smem-lint: launch grid=2 block=32
__global__ void barrier_of_the_block(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int next = a[i + 1];
  cg::this_thread_block().sync();
  a[i] = next;
}
// CHECK:barrier_of_the_block grid (2,1,1) block (32,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK:  between blocks: line [[#@LINE-5]] read by (31,0,0) of block (0,0,0), line [[#@LINE-3]] write by (0,0,0) of block (1,0,0), byte 128 of a

// Two arrays that are written in turn, with a barrier behind each; and with none at the end of an iteration.
// smem-lint: launch grid=4 block=64
__global__ void iterated(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::grid_group grid = cg::this_grid();
  for (int k = 0; k < 4; ++k) {
    b[i] = a[i + 1] + a[i];
    grid.sync();
    a[i] = b[i + 1];
    grid.sync();
  }
}
// CHECK:iterated grid (4,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=4 block=64
__global__ void back_edge(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::grid_group grid = cg::this_grid();
  for (int k = 0; k < 4; ++k) {
    b[i] = a[i + 1] + a[i];
    grid.sync();
    a[i] = b[i + 1];
  }
}
// CHECK:back_edge grid (4,1,1) block (64,1,1): race (between warps race, within a warp race, between blocks race)
// CHECK:  between blocks: {{.*}}

// Every other block waits for those that do not come.
// smem-lint: launch grid=2 block=32
__global__ void some_blocks(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    int next = a[i + 2];
    cg::this_grid().sync();
    a[i] = next;
  }
}
// CHECK:some_blocks grid (2,1,1) block (32,1,1): unknown {{.*}}: blocks come to different numbers of barriers of the grid
// CHECK:  barrier of line [[#@LINE-5]]: blocks come to different numbers of barriers of the grid
