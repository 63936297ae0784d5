// What host code says of a block's threads leaves no request of all lanes where they are fewer than a warp; a number below 1 is no block.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not=32-way
#include <algorithm>
#define KERNEL(name)                                                                                                   \
  __global__ void name() {                                                                                             \
    __shared__ volatile float line[512];                                                                               \
    line[threadIdx.x * 32] = 1;                                                                                        \
  }

// CHECK: "kernel": "chosen"
// CHECK: "text": "at most 16-way in all launches with blockDim.x <= 16 and blockDim.y == 1 and blockDim.z == 1"
KERNEL(chosen)
void launch_chosen(int n) {
  const int threads = n < 16 ? n : 16;
  chosen<<<1, threads>>>();
}

// CHECK: "kernel": "smaller"
// CHECK: "text": "at most 16-way in all launches with blockDim.x <= 16
KERNEL(smaller)
void launch_smaller(int n) { smaller<<<1, std::min(n, 16)>>>(); }

// CHECK: "kernel": "returned"
// CHECK: "text": "at most 20-way in all launches with blockDim.x <= 5 and blockDim.y <= 4
KERNEL(returned)
void launch_returned(int n, int m) {
  if (n > 5 || m > 4)
    return;
  const dim3 block(n, m);
  returned<<<1, block>>>();
}
