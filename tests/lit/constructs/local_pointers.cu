// Pointers that a local variable keeps. nvcc finds out what they are however often the variable is used (its PTX has no local memory of 800 such stores in
// a row, and CUTLASS's iterators store 16 bytes at once); but of the 32 steps of this loop it has three with st.shared.v4, and knows the space of the
// others too late. That is left open.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct alignas(16) Piece {
  float part[4];
};

struct Iterator {
  Piece *row[2];
  int at, rounds;
  __device__ void put(float x) {
    for (int i = 0; i < 4; ++i) row[at]->part[i] = x + i;
    if (++at < 2) return;
    at = 0;
    ++rounds;
    row[0] += 64;
    row[1] += 64;
  }
};

// smem-lint: launch block=(32) grid=(1)
__global__ void iterates(float *out, float x) {
  __shared__ Piece tile[32 * 32];
  Iterator it{{tile + threadIdx.x, tile + threadIdx.x + 32}, 0, 0};
#pragma unroll
  for (int i = 0; i < 32; ++i) it.put(x * i);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * 3].part[1] + it.rounds;
}
// CHECK-LABEL: {{^}}iterates
// CHECK: 15:{{.*}}row[at]{{.*}}store 128 {{ *}}32 {{ *}}128 {{ *}}128 {{.*}}assumed ([[#STEP:]])
// CHECK: ([[#STEP]]) assumed: {{.*}}nvcc resolves the pointer that a local variable holds as modelled [assumed-local-pointer]

// Which pointer it is, the launch decides: the pointers are in memory, and what the compiler knows of them is left open.
// smem-lint: launch block=(32) grid=(1) which=1
__global__ void chooses(float *out, int which, float x) {
  __shared__ float a[512], b[512], c[512];
  float *of[3] = {a + threadIdx.x, b + 2 * threadIdx.x, c + 4 * threadIdx.x};
  *of[which] = x;
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] + c[threadIdx.x];
}
// CHECK-LABEL: {{^}}chooses
// CHECK: *of[which] {{.*}}store 32 {{ *}}1 {{ *}}2 {{ *}}1 {{.*}}assumed ([[#NOTE:]])
// CHECK: ([[#NOTE]]) assumed: {{.*}}nvcc resolves the pointer that a local variable holds as modelled [assumed-local-pointer]
