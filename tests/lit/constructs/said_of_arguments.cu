// What a kernel's own code says of its arguments holds wherever it accesses memory: conditions on the way, assertions, assumptions. No launch is
// known of any of these kernels. tests/pattern holds the claims against launches at random values.
// RUN: %lint %s --fail-on=never --format=json --launch 'block=64 grid=4' -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// RUN: %lint %s --fail-on=never --checks='-*' --launch 'block=64 grid=4' | FileCheck %s --check-prefix=VALUES
#include <cassert>

// CHECK: "kernel": "assumed"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "32-way in all launches
// VALUES-LABEL: assumed  grid={{.*}} n=64{{$}}
__global__ void assumed(float *out, unsigned n) {
  __shared__ float tile[64 * 64];
  __builtin_assume(n % 32 == 0 && n != 0);
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// A remainder other than 0.
// CHECK: "kernel": "odd"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "conflict-free in all launches
__global__ void odd(float *out, int n) {
  __shared__ float tile[64 * 64];
  __builtin_assume(n % 2 == 1);
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: "kernel": "unreachable"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "32-way in all launches
__global__ void unreachable(float *out, int n) {
  __shared__ float tile[64 * 64];
  if (n % 32 != 0 || n <= 0)
    __builtin_unreachable();
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: "kernel": "asserted"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "32-way in all launches
__global__ void asserted(float *out, int n) {
  __shared__ float tile[64 * 64];
  assert(n % 32 == 0 && n > 0);
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: "kernel": "returns"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "16-way in all launches
// VALUES-LABEL: returns  grid={{.*}} n=48{{$}}
__global__ void returns(float *out, int n) {
  __shared__ float tile[64 * 64];
  if (n % 32 != 16)
    return;
  tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// A condition holds of what it guards, and of nothing else.
// CHECK: "kernel": "guarded"
// CHECK: "expression": "tile[threadIdx.x * n]"
// CHECK: "text": "32-way in all launches
// CHECK: "expression": "tile[threadIdx.x * n + 1]"
// CHECK: "text": "depends on n: 32-way when n % 32 == 0 and n != 0, 16-way when n % 32 == 16, 8-way when n % 16 == 8, else at most 4-way",
__global__ void guarded(float *out, int n) {
  __shared__ float tile[64 * 64];
  if (n % 32 == 0 && n >= 32)
    tile[threadIdx.x * n] = out[threadIdx.x];
  __syncthreads();
  tile[threadIdx.x * n + 1] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
