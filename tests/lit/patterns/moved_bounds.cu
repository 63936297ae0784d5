// A loop over a row that each lane begins, and ends, at its own index: all lanes leave it together, whatever its length is. Where only one of the two is the
// lane's they do not.
// RUN: %lint-short --format=json --fail-on=never %s | FileCheck %s

// CHECK: "kernel": "together"
// CHECK: "expression": "((volatile float *)s)[threadIdx.x * 64]"
// CHECK: "when": "blockDim.x % 32 == 0",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 32,
// CHECK-NOT: "all lanes are active"
// CHECK: "the block is one row of another length and
__global__ void together(int rows, int width, float v) {
  extern __shared__ float s[];
  const int t = threadIdx.x, b = blockIdx.x;
  for (int at = b * rows * width + t; at < (b + 1) * rows * width + t; at += width)
    ((volatile float *)s)[threadIdx.x * 64] = v;
}

// CHECK: "kernel": "apart"
// CHECK: "expression": "((volatile float *)s)[threadIdx.x * 64]"
// CHECK: "when": "{{.*}}all lanes are active",
// CHECK: "when": "{{.*}}some lanes are not active",
// CHECK-NEXT: "at_most": true,
__global__ void apart(int rows, int width, float v) {
  extern __shared__ float s[];
  const int t = threadIdx.x, b = blockIdx.x;
  for (int at = b * rows * width + t; at < (b + 1) * rows * width; at += width)
    ((volatile float *)s)[threadIdx.x * 64] = v;
}

// What is subtracted may wrap around, in some lanes.
// CHECK: "kernel": "below_itself"
// CHECK: "expression": "((volatile float *)s)[threadIdx.x * 64]"
// CHECK: "when": "{{.*}}all lanes are active",
// CHECK: "when": "{{.*}}some lanes are not active",
__global__ void below_itself(unsigned n, float v) {
  extern __shared__ float s[];
  if (threadIdx.x - n < threadIdx.x)
    ((volatile float *)s)[threadIdx.x * 64] = v;
}
