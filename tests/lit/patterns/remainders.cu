// Conditions on remainders say all that they mean: of an argument nothing is known to be aligned.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json

// A gap in the middle of columns that are two apart: odd pads are free of conflicts.
// CHECK: "kernel": "gap"
// CHECK: "when": "(blockDim.x % 32 == 0 or blockDim.x == 16 in full warps) and (pad % 2 == 0 and pad % 32 != 0 and |pad| >= 31 or pad is one of 2, 4, …, 30)",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 2,
// CHECK: "when": "(blockDim.x % 32 == 0 or blockDim.x == 16 in full warps) and ((pad % 2 == 1 or pad % 32 == 0) and |pad| >= 31 or
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 1,
// CHECK: "text": "{{.*}} depends on pad: 2-way when pad % 2 == 0 and pad % 32 != 0 and |pad| >= 31 or pad is one of 2, 4, …, 30, else conflict-free;
__global__ void gap(int pad, volatile float *out) {
  extern __shared__ float sm[];
  const int i = threadIdx.x & 15;
  out[threadIdx.x] = sm[i * 2 + i / 8 * pad];
}

// CHECK: "kernel": "wider"
// CHECK: 2-way when pad % 4 == 0 and pad % 32 != 0 and |pad| >= 29 or pad is one of 4, 8, 12, 16, 20, 24, 28, else conflict-free;
__global__ void wider(int pad, volatile float *out) {
  extern __shared__ float sm[];
  const int c = threadIdx.x & 7;
  out[threadIdx.x] = sm[c * 4 + c / 4 * pad];
}

// Small values have a condition of their own only where the remainders do not say it: 0 is not odd.
// CHECK: "kernel": "columns"
// CHECK: "when": "blockDim.x % 32 == 0 and (n % 2 == 1 or n == 0)",
__global__ void columns(int n) {
  extern __shared__ float sm[];
  ((volatile float *)sm)[threadIdx.x * n] = 1;
}

// Addresses are aligned, and all that occur but one are.
// CHECK: "kernel": "addresses"
// CHECK: "when": "blockDim.x % 32 == 0 and address % 32 != 0",
__global__ void addresses(volatile float *out) { out[threadIdx.x] = 1; }
