// Two writes of one value are no race: which values are known to be one, and which are not.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s

// One execution stands for all blocks, but each has loaded a number of its own.
// smem-lint: launch grid=4 block=128
__global__ void loaded_by_each_block(int *out, const int *in, int *other) {
  int v = in[blockIdx.x];
  if (threadIdx.x == 0)
    out[0] = v;
  if (v > 3)
    other[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// CHECK:loaded_by_each_block grid (4,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK-NEXT:  between blocks: line [[#@LINE-5]] write by (0,0,0) of block (0,0,0), line [[#@LINE-5]] write by (0,0,0) of block (1,0,0), byte 0 of out

// smem-lint: launch grid=4 block=128
__global__ void counted_by_each_block(int *out, const int *in, int *other) {
  int v = in[blockIdx.x];
  if (threadIdx.x == 0)
    out[0] = v + 1;
  for (int i = 0; i < v; ++i)
    other[blockIdx.x * blockDim.x + threadIdx.x] = i;
}
// CHECK:counted_by_each_block grid (4,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK-NEXT:  between blocks: line [[#@LINE-5]] write by (0,0,0) of block (0,0,0), line [[#@LINE-5]] write by (0,0,0) of block (1,0,0), byte 0 of out
