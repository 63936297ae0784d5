// The wrong index in the fast place: sectors, their ideal, and the repair.
// RUN: not %lint %s | FileCheck %s
// RUN: %lint %s --fail-on=error | FileCheck %s

// smem-lint: launch block=(32,8) grid=(32,128) n=1024
__global__ void columns(float *out, const float *in, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * n + x] =
      2 * in[x * n + y];
// CHECK: uncoalesced.cu:[[#@LINE-1]]:11: warning: uncoalesced load of in[x * n + y] moves 32 sectors instead of 4 [gmem-uncoalesced]
// CHECK-NEXT: {{^}}    [[#@LINE-2]] |       2 * in[x * n + y];
// CHECK-NEXT: {{^}}      |           ^
// CHECK-NEXT: {{^}}  cost: 1,048,576 sectors where 131,072 are enough (8x) in 32,768 requests; {{[0-9]+}}% of all sectors of {{[a-z_]+}}; {{[0-9]+}}% avoidable here; exact
// CHECK-NEXT: {{^}}  cause: {{.+}}
}
// CHECK-NOT: warning:
// CHECK: 8:18  out[y * n + x]  store 32  32,768  {{ *}}131,072  {{ *}}131,072  {{ *}}32,768  {{ *}}1x  exact
// CHECK-NEXT: 9:11  in[x * n + y] {{ *}}load 32  {{ *}}32,768  1,048,576  {{ *}}131,072  1,048,576  {{ *}}8x  exact
