// Threads that end without coming to a barrier: CUDA waits for those that have not ended, and for no others.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %lint-short --fail-on=never --format=json %s | FileCheck --check-prefix=JSON %s

// smem-lint: launch grid=4 block=256
__global__ void ended_before(float *o, const float *a) {
  __shared__ float s[256];
  if (threadIdx.x >= 200)
    return;
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[199 - threadIdx.x];
}
// CHECK:ended_before grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:  threads end without the barrier of line [[#@LINE-4]]
// JSON: "kernel": "ended_before",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "excused",
// JSON: "excused": [
// JSON: "line": [[#@LINE-9]],

// smem-lint: launch grid=4 block=256
__global__ void half_of_each_warp(float *o) {
  if (threadIdx.x % 2 == 0)
    __syncthreads();
}
// CHECK:half_of_each_warp grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK:  threads end without the barrier of line [[#@LINE-3]]
// CHECK:  redundant barrier: line [[#@LINE-4]]
// JSON: "kernel": "half_of_each_warp",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "excused",

// Those who go on are waited for.
// smem-lint: launch grid=4 block=256
__global__ void half_goes_on(float *o) {
  if (threadIdx.x % 2 == 0)
    __syncthreads();
  o[threadIdx.x] = 0;
}
// CHECK:half_goes_on grid (4,1,1) block (256,1,1): {{.*}}
// JSON: "kernel": "half_goes_on",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",

// smem-lint: launch grid=4 block=256
__global__ void all_come(float *o, const float *a) {
  __shared__ float s[256];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 200)
    return;
  o[threadIdx.x] = s[199 - threadIdx.x];
}
// CHECK:all_come grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK-NOT:  threads end
// JSON: "kernel": "all_come",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "uniform",
// JSON: "excused": []
