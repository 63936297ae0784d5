// Ways out of a scope that has variables: a condition that leaves the loop leaves it, though Clang ends the variables' lives first.
// RUN: %races %s | FileCheck --match-full-lines %s

// All threads keep what one of them has drawn.
// smem-lint: launch grid=4 block=256
__global__ void queue(int *out, int *next, int n) {
  __shared__ int id;
  while (true) {
    if (threadIdx.x == 0)
      id = atomicAdd(next, 1);
    __syncthreads();
    const int mine = id;
    __syncthreads();
    if (mine >= n)
      break;
    out[mine * 256 + threadIdx.x] = mine;
  }
}
// CHECK:queue grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// A thread is back before others have read.
// smem-lint: launch grid=4 block=256
__global__ void hasty_queue(int *out, int *next, int n) {
  __shared__ int id;
  while (true) {
    if (threadIdx.x == 0)
      id = atomicAdd(next, 1);
    __syncthreads();
    const int mine = id;
    if (mine >= n)
      break;
    out[mine * 256 + threadIdx.x] = mine;
  }
}
// CHECK:hasty_queue grid (4,1,1) block (256,1,1): unknown {{.*}}

// `return` as well.
// smem-lint: launch grid=4 block=256
__global__ void rows(const float *in, float *out, int n) {
  __shared__ float row[256];
  for (int i = blockIdx.x;; i += gridDim.x) {
    const int at = i * 256 + threadIdx.x;
    if (i >= n)
      return;
    row[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = row[255 - threadIdx.x];
    __syncthreads();
  }
}
// CHECK:rows grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=4 block=256
__global__ void rows_without_barrier(const float *in, float *out, int n) {
  __shared__ float row[256];
  for (int i = blockIdx.x;; i += gridDim.x) {
    const int at = i * 256 + threadIdx.x;
    if (i >= n)
      return;
    row[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = row[255 - threadIdx.x];
  }
}
// CHECK:rows_without_barrier grid (4,1,1) block (256,1,1): race {{.*}}
