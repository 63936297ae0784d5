// What depends on loaded data is told as that, through operations of groups of lanes and through floating point. An index that is computed in floating
// point from what all lanes have in common is the same in all lanes, however its sum of products is rounded.
// RUN: %lint %s --fail-on=never --format=json -o %t.json
// RUN: FileCheck %s --input-file=%t.json
// CHECK: "expression": "s[leader]"
// CHECK: "pattern": {
// CHECK-NEXT: "verdict": "data"
// CHECK: "reason": "`data[threadIdx.x]` is loaded from memory"
__global__ void match(const int *data, int *out) {
  __shared__ int s[64];
  int v = data[threadIdx.x];
  unsigned same = __match_any_sync(0xffffffffu, v);
  int leader = __ffs(same) - 1;
  s[leader] = v;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK: "expression": "in[row * 32 + threadIdx.x]"
// CHECK: "pattern": {
// CHECK-NEXT: "verdict": "cases"
__global__ void rounded(float a, float b, float c, const float *in, float *out) {
  int row = (int)(a * b + c);
  out[threadIdx.x] = in[row * 32 + threadIdx.x];
}
// CHECK: "expression": "in[where * 32 + threadIdx.x]"
// CHECK: "pattern": {
// CHECK-NEXT: "verdict": "data"
// CHECK: "reason": "`scale[threadIdx.x]` is loaded from memory"
__global__ void rounded_data(const float *scale, float a, float c, const float *in, float *out) {
  int where = (int)(a * scale[threadIdx.x] + c);
  out[threadIdx.x] = in[where * 32 + threadIdx.x];
}
// CHECK: "expression": "in[lane * 32 + threadIdx.x]"
// CHECK: "pattern": {
// CHECK-NEXT: "verdict": "unknown"
__global__ void rounded_lanes(float a, float c, const float *in, float *out) {
  int lane = (int)(a * threadIdx.x + c);
  out[threadIdx.x] = in[lane * 32 + threadIdx.x];
}
