// Conditions on lanes that are combined with one that all lanes share, or with each other, hold in the lanes in which they do: the others are off.
// RUN: %lint-short --format=json --fail-on=never %s | FileCheck %s

// CHECK: "kernel": "some_columns_of_one_row"
// CHECK: "expression": "s[threadIdx.x * 64]"
// CHECK: "when": "blockDim.x % 32 == 0 or blockDim.x is one of 8, 16 in full warps",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 8,
__global__ void some_columns_of_one_row(float v) {
  extern __shared__ float s[];
  if (threadIdx.x < 8 && threadIdx.y == 0)
    s[threadIdx.x * 64] = v;
}

// CHECK: "kernel": "some_lanes_if"
// CHECK: "expression": "s[threadIdx.x * 64]"
// CHECK: "when": "blockDim.x % 32 == 0 or blockDim.x is one of 8, 16 in full warps",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 8,
__global__ void some_lanes_if(float v, bool condition) {
  extern __shared__ float s[];
  if (condition && threadIdx.x < 8)
    s[threadIdx.x * 64] = v;
}

// Sixteen lanes, or all.
// CHECK: "kernel": "some_lanes_or_all"
// CHECK: "expression": "s[threadIdx.x * 64]"
// CHECK: "when": "blockDim.x % 32 == 0 and the active lanes are lanes 16-31",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "when": "blockDim.x % 32 == 0 and all lanes are active",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 32,
// CHECK: "at_most": true
__global__ void some_lanes_or_all(float v, bool condition) {
  extern __shared__ float s[];
  if (condition || threadIdx.x % 32 >= 16)
    s[threadIdx.x * 64] = v;
}

// Each half of the warp has a condition of its own.
// CHECK: "kernel": "halves"
// CHECK: "expression": "s[threadIdx.x * 64]"
// CHECK: "when": "blockDim.x % 32 == 0 and the active lanes are lanes 0-15",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "when": "blockDim.x % 32 == 0 and the active lanes are lanes 16-31",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "when": "blockDim.x % 32 == 0 and all lanes are active",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 32,
__global__ void halves(float v, int a, int b) {
  extern __shared__ float s[];
  if ((threadIdx.x < 16) & (a > 5) | (threadIdx.x >= 16) & (b < 3))
    s[threadIdx.x * 64] = v;
}
