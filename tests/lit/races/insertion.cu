// Where a barrier is suggested there is room for a statement, and what it comes before is what was tried.
// RUN: %lint-short --fail-on=never --color=never %s | FileCheck %s
// RUN: %lint-short --fail-on=never --format=json %s | FileCheck --check-prefix=JSON %s

// The body of the loop is the read; before the loop a barrier is executed once.
// smem-lint: launch block=256 grid=4
__global__ void unbraced_for(int *o, const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x, a = 0;
  s[t] = in[t];
  for (int k = 0; k < 256; k++)
    a += s[k];
  o[t] = a;
}
// CHECK: [[#@LINE-3]]:{{[0-9]+}}: warning: race: {{.*}} reads s[k]
// CHECK-NEXT: cost: in unbraced_for
// CHECK-NEXT: hint: `__syncthreads();` before line [[#@LINE-6]]: then

// Between a branch and its statement there is none.
// smem-lint: launch block=256 grid=4 n=5
__global__ void unbraced_if(int *o, const int *in, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  if (n > 3)
    o[t] = s[255 - t];
}
// CHECK: [[#@LINE-2]]:{{[0-9]+}}: warning: race: {{.*}} reads s[255 - t]
// CHECK-NEXT: cost: in unbraced_if
// CHECK-NEXT: hint: `__syncthreads();` before line [[#@LINE-5]]: then

// Nor inside of a statement.
// smem-lint: launch block=256 grid=4
__global__ void two_lines(int *o, const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  o[t] = t +
         s[255 - t];
}
// CHECK: [[#@LINE-2]]:{{[0-9]+}}: warning: race: {{.*}} reads s[255 - t]
// CHECK-NEXT: cost: in two_lines
// CHECK-NEXT: hint: `__syncthreads();` before line [[#@LINE-5]]: then

// The sum needs a barrier in each iteration, whose only statement it stands beside then.
// smem-lint: launch block=256 grid=1
__global__ void sum(int *o, const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  for (int d = 128; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d];
  if (t == 0)
    *o = s[0];
}
// CHECK: [[#@LINE-4]]:{{[0-9]+}}: warning: race: {{.*}} reads s[t + d]
// CHECK-NEXT: cost: in sum
// CHECK-NEXT: hint: `__syncthreads();` before line [[#@LINE-7]] (in braces with the loop's body): then
// JSON: "kernel": "sum"
// JSON: "where": "before",
// JSON-NEXT: "in_braces": true,

// A pragma belongs to the loop below it, and two statements on a line are not parted.
// smem-lint: launch block=256 grid=4
__global__ void no_room(int *o, const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x, a = 0;
  s[t] = in[t]; o[t] = s[255 - t];
}
// CHECK: [[#@LINE-2]]:{{[0-9]+}}: warning: race: {{.*}} reads s[255 - t]
// CHECK-NEXT: cost: in no_room
// CHECK-NOT: hint

// What is inserted in a function stands at both calls.
__device__ int read(const int *s, int t) {
  return s[255 - t];
}
// smem-lint: launch block=256 grid=4
__global__ void calls(int *o, const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t < 64)
    o[t] = read(s, t);
  __syncthreads();
  if (t < 32)
    o[t] = read(s, t);
}
// CHECK: [[#@LINE-13]]:{{[0-9]+}}: warning: race: {{.*}} reads s[255 - t]
// CHECK-NEXT: cost: in calls
// CHECK-NEXT: hint: `__syncthreads();` before line [[#@LINE-8]]: then
