// Kernels of which no launch says how many threads a block has, nor how often a loop is executed: for blocks that are not free in every launch
// lengths are tried. Races of the next iteration are found, and what makes them vanish.
// RUN: %races %s | FileCheck --match-full-lines %s
// RUN: %lint --format=json %s | FileCheck --check-prefix=EDIT %s

// CHECK:reversed_rows grid {{.*}}: race (between warps race, within a warp unknown) under assumed values: block=(256,1,1): not known from the source, and threads race in 6 blocks that were tried; `rows` is 64, which decides the branch at line [[#@LINE+5]]
// CHECK:  between warps: {{.*}}
__global__ void reversed_rows(const float *in, float *out, int rows) {
  __shared__ float row[1024];
  float sum = 0;
  for (int i = 0; i < rows; ++i) {
    row[threadIdx.x] = in[i * blockDim.x + threadIdx.x];
    __syncthreads();
    sum += row[blockDim.x - 1 - threadIdx.x];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK:ordered_rows grid {{.*}}: free (between warps free, within a warp free) under assumed values: block: not known from the source; {{.*}}
__global__ void ordered_rows(const float *in, float *out, int rows) {
  __shared__ float row[1024];
  float sum = 0;
  for (int i = 0; i < rows; ++i) {
    row[threadIdx.x] = in[i * blockDim.x + threadIdx.x];
    __syncthreads();
    sum += row[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// EDIT: "where": "end_of_loop",
// EDIT-NEXT: "in_braces": false,
// EDIT-NEXT: "line": {
// EDIT-NEXT: "file": {{.*}}
// EDIT-NEXT: "line": [[#@LINE+8]],
// Of the blocks that stay inside the tiles; the barrier belongs into the loop over tiles, where it is executed least often.
// CHECK:tiles grid {{.*}} block (16,16,1): race (between warps race, within a warp race) under assumed values: block=(16,16,1): not known from the source, and threads race in 10 blocks that were tried; `n` is 64, which decides the branch at line [[#@LINE+6]]
// CHECK:  between warps: {{.*}}
__global__ void tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += as[ty][k] * bs[k][tx];
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// CHECK:ordered_tiles grid {{.*}} block (16,16,1): free (between warps free, within a warp free) under assumed values: block: not known from the source; no launch races with {{.*}}the one block that was tried, {{[0-9]+}} others leave the kernel's arrays; free in every launch with blocks (16,16,1)
__global__ void ordered_tiles(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// No iteration of any number of threads races with another, and nothing proves it.
// CHECK:of_a_warp grid {{.*}}: unknown {{.*}}: how many threads a block has is not known; with {{.*}}: the value of argument `rows` is not known{{.*}}
__global__ void of_a_warp(const float *in, float *out, int rows) {
  __shared__ float part[1024];
  float sum = 0;
  for (int i = 0; i < rows; ++i) {
    part[threadIdx.x] = in[i * blockDim.x + threadIdx.x];
    __syncwarp();
    sum += part[threadIdx.x ^ 1];
    __syncwarp();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The length is the only thing that keeps lanes in the row: with others than those that are meant nothing is claimed.
// CHECK:as_long_as_a_block grid {{.*}}: unknown {{.*}}: how many threads a block has is not known; with {{.*}}
__global__ void as_long_as_a_block(const float *in, float *out, int width) {
  __shared__ float row[1024];
  row[threadIdx.x % width] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x % width];
}
