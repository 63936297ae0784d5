// A block of fewer threads than a warp has lanes makes no request of all lanes: the bounds of the kernel are those of its cases.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not=32-way
// RUN: %lint-short %s --fail-on=never --format=oneline --checks='-launch-unknown,-smem-*,smem-bank-conflict' | FileCheck %s --check-prefix=FINDINGS --implicit-check-not=32-way

// CHECK: "kernel": "sixteen"
// CHECK: "when": "the block is one row of another length and the active lanes are lanes 0-15"
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "when": "the block is one row of another length and not all of lanes 0-15 are active"
// CHECK-NEXT: "at_most": true,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "when": "any other block shape"
// CHECK-NEXT: "at_most": true,
// CHECK-NEXT: "wavefronts": 16,
// CHECK: "text": "16-way when {{.*}}, else at most 16-way"
// FINDINGS: [[#@LINE+3]]:{{[0-9]+}}: warning: 16-way bank conflict: store of line[threadIdx.x * 32] takes 16 wavefronts instead of 1, in requests of all 16 lanes that may be active, when the block is one row of another length
__global__ void __launch_bounds__(16) sixteen() {
  __shared__ volatile float line[512];
  line[threadIdx.x * 32] = 1;
}

// What does not depend on the lanes holds in all launches.
// CHECK: "kernel": "one_word"
// CHECK: "verdict": "always"
// CHECK: "text": "conflict-free in all launches"
__global__ void __launch_bounds__(8) one_word() {
  __shared__ volatile float line[32];
  line[5] = 1;
}
