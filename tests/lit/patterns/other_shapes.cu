// "Any other block shape" is the one that no other condition names; several shapes are named one by one.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json

// CHECK: "kernel": "two_groups"
// CHECK: "when": "the block is one row of another length or blockDim.x is one of 4, 8, 16 in full warps",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 1,
// CHECK: "when": "any other block shape",
// CHECK-NEXT: "at_most": true,
// CHECK-NEXT: "wavefronts": 32,
__global__ void two_groups() {
  extern __shared__ float sm[];
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  ((volatile float *)sm)[(2 * threadIdx.x ^ (t + threadIdx.x)) / 4] = 1;
}

// A condition that is the only one has no parentheses.
// CHECK: "kernel": "halves"
// CHECK: "when": "blockDim.x % 32 == 0 or the block is one row",
// CHECK: "text": "conflict-free when blockDim.x % 32 == 0 or the block is one row, else at most 32-way"
__global__ void halves(volatile float *out) {
  __shared__ volatile float line[1024];
  if (threadIdx.x >= 16)
    line[threadIdx.x] = 2;
}
