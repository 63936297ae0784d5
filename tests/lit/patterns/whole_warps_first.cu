// What is said of a launch that is not known begins with whole warps; what has no name is no condition.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not='"text": {{.*}}not named' --implicit-check-not='in some cases'

// CHECK: "kernel": "cube"
// CHECK: "expression": "sm[threadIdx.x * n]"
// CHECK: "text": "when blockDim.x % 32 == 0, depends on n: 32-way when n % 32 == 0 and n != 0, 16-way when n % 32 == 16, 8-way when n % 16 == 8, else at most 4-way; in other blocks at most 32-way"
__global__ void cube(int n, float *out) {
  extern __shared__ volatile float sm[];
  sm[threadIdx.x * n] = 1;
  out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = 0;
}

// The block is assumed to be one that returns.
// CHECK: "kernel": "one_width"
// CHECK: "text": "when blockDim.x % 32 == 0, depends on n: 32-way when n % 32 == 0 and n != 0,
__global__ void one_width(int n) {
  extern __shared__ volatile float sm[];
  if (blockDim.x != 32)
    return;
  sm[threadIdx.x * n + threadIdx.y] = 1;
}

// CHECK: "kernel": "chosen"
// CHECK: "text": "when blockDim.x % 32 == 0, depends on a < b: 32-way when a < b, else conflict-free; in other blocks at most 32-way"
__global__ void chosen(int a, int b) {
  extern __shared__ volatile float sm[];
  const int n = a < b ? 32 : 33;
  sm[threadIdx.x * n] = 1;
}

// A bound that says as much as the figure beside it is the same claim.
// CHECK: "kernel": "not_whole"
// CHECK: "text": "when the block is one row of another length, conflict-free; in other blocks at most 16-way"
__global__ void not_whole() {
  extern __shared__ double sd[];
  if (blockDim.x % 32 == 0)
    return;
  ((volatile double *)sd)[threadIdx.y ^ threadIdx.x] = 1;
}
