// Loops of unknown length in which each thread goes on by the same step: what it touches is not known, and is nothing that another thread touches.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %races --global %s | FileCheck --check-prefix=GLOBAL --match-full-lines --strict-whitespace %s

// smem-lint: launch grid=4 block=256
__global__ void filled(float *o, const float *a, int n) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[i] = a[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    o[blockIdx.x * n + i] = s[n - 1 - i];
}
// CHECK:filled grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:filled grid (4,1,1) block (256,1,1): unknown {{.*}}

// Each thread reads what its neighbour has written.
// smem-lint: launch grid=4 block=256
__global__ void shifted(float *o, const float *a, int n) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[i] = a[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    o[i] = s[i + 1];
}
// CHECK:shifted grid (4,1,1) block (256,1,1): race (between warps race, within a warp race) under assumed values: n=1024: not known from the source
// GLOBAL:shifted grid (4,1,1) block (256,1,1): race (between warps free, within a warp free, between blocks race) under assumed values: {{.*}}

// The same element throughout, with no barrier needed.
// smem-lint: launch grid=1 block=256
__global__ void own_elements(float *o, const float *a, const int *ends) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < ends[0]; i += 256)
    s[i] = a[i];
  for (int i = threadIdx.x; i < ends[1]; i += 256)
    s[i] *= 2;
  for (int i = threadIdx.x; i < ends[2]; i += 256)
    o[i] = s[i];
}
// CHECK:own_elements grid (1,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:own_elements grid (1,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// Steps of different lengths meet.
// smem-lint: launch grid=1 block=256
__global__ void half_a_step(float *o, const float *a, int n) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < n; i += 256)
    s[i] = a[i];
  for (int i = threadIdx.x; i < n; i += 128)
    o[i] = s[i];
}
// CHECK:half_a_step grid (1,1,1) block (256,1,1): race (between warps race, within a warp free) under assumed values: n=1024: not known from the source
// GLOBAL:half_a_step grid (1,1,1) block (256,1,1): race (between warps race, within a warp free, between blocks free) under assumed values: n=1024: not known from the source

// A step that no power of two is: where the sum may wrap around, it comes to other threads' elements.
// smem-lint: launch grid=1 block=96
__global__ void signed_step(float *o, const float *a, int n) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < n; i += 96)
    s[i] = a[i];
  for (int i = threadIdx.x; i < n; i += 96)
    o[i] = s[i];
}
// CHECK:signed_step grid (1,1,1) block (96,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:signed_step grid (1,1,1) block (96,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=1 block=96
__global__ void unsigned_step(float *o, const float *a, unsigned n) {
  __shared__ float s[4096];
  for (unsigned i = threadIdx.x; i < n; i += 96)
    s[i] = a[i];
  for (unsigned i = threadIdx.x; i < n; i += 96)
    o[i] = s[i];
}
// CHECK:unsigned_step grid (1,1,1) block (96,1,1): unknown (between warps unknown, within a warp free): the value of argument `n` is not known
// GLOBAL:unsigned_step grid (1,1,1) block (96,1,1): unknown {{.*}}

// The grid's threads share the elements, as long as no block is left out of the step.
// smem-lint: launch grid=8 block=256
__global__ void grid_stride(float *o, const float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[i] = 2 * a[i] + o[i];
}
// CHECK:grid_stride grid (8,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:grid_stride grid (8,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=8 block=256
__global__ void half_a_grid(float *o, const float *a, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 4 * 256)
    o[i] = 2 * a[i] + o[i];
}
// CHECK:half_a_grid grid (8,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:half_a_grid grid (8,1,1) block (256,1,1): unknown (between warps free, within a warp free, between blocks unknown): {{.*}}

// Pairs: elements of 8 bytes, and a pointer that moves.
// smem-lint: launch grid=1 block=64
__global__ void pointers(float2 *o, int n) {
  __shared__ float2 s[512];
  float2 *mine = s + threadIdx.x;
  for (int k = 0; k < n; ++k, mine += 64) {
    mine->x = k;
    mine->y = mine->x;
  }
}
// CHECK:pointers grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:pointers grid (1,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)

// A row of each thread, as long as rows are.
// smem-lint: launch grid=1 block=64
__global__ void columns(float *o, int rows) {
  for (int r = 0; r < rows; ++r)
    o[r * 64 + threadIdx.x] = r;
}
// CHECK:columns grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:columns grid (1,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)
// smem-lint: launch grid=1 block=64
__global__ void columns_overlap(float *o, int rows) {
  for (int r = 0; r < rows; ++r)
    o[r * 63 + threadIdx.x] = r;
}
// CHECK:columns_overlap grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// GLOBAL:columns_overlap grid (1,1,1) block (64,1,1): race (between warps race, within a warp free, between blocks free) under assumed values: rows=1024: not known from the source
