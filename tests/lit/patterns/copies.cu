// Copies of an access, as of a loop's body: a case of some of them says so, and the conditions of one decide nothing for another.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// RUN: %lint-short %s --fail-on=never --format=oneline --kernel=shifted --checks='-*,smem-bank-conflict' | FileCheck %s --check-prefix=FINDING

// Both copies are coalesced: their first lanes are 16 bytes apart.
// CHECK: "kernel": "exchanged"
// CHECK: "when": "blockDim.x % 32 == 0 and address % 32 == 0 and in some copies of the access",
// CHECK: "when": "blockDim.x % 32 == 0 and address % 32 == 16 and in some copies of the access",
// CHECK: "text": "when blockDim.x % 32 == 0, 9 sectors instead of 8 or coalesced; in other blocks at most 32 sectors"
__global__ void exchanged(volatile double *gm, double *o) {
  double sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i += 2)
    sum += gm[i * 40 + (threadIdx.x ^ i)];
  o[threadIdx.x] = sum;
}

// 7 wavefronts in 3 requests.
// CHECK: "kernel": "shifted"
// CHECK: "when": "blockDim.x % 32 == 0 and in some copies of the access",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 1,
// CHECK: "when": "blockDim.x % 32 == 0 and in some copies of the access",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 2,
// CHECK: "when": "blockDim.x % 32 == 0 and in some copies of the access",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 4,
// CHECK: "when": "blockDim.x is one of 4, 8 in full warps",
// CHECK: "text": "when blockDim.x % 32 == 0, conflict-free to 4-way in different copies of the access; in other blocks at most 32-way"
// FINDING: [[#@LINE+6]]:{{[0-9]+}}: warning: 4-way bank conflict: load of sm[threadIdx.x << i] takes up to 4 wavefronts instead of 1, when blockDim.x % 32 == 0
__global__ void shifted(float *o) {
  extern __shared__ volatile float sm[];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++)
    sum += sm[threadIdx.x << i];
  o[threadIdx.x] = sum;
}

// What all copies cost is no matter of the copy.
// CHECK: "kernel": "alike"
// CHECK: "when": "blockDim.x % 32 == 0",
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 2,
__global__ void alike(float *o) {
  extern __shared__ volatile float sm[];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++)
    sum += sm[threadIdx.x * 2 + i];
  o[threadIdx.x] = sum;
}
