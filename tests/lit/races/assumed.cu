// Races that data decide, or arguments that no launch tells: verdicts under values that are made up, named, and never more than a note.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %lint-short --fail-on=warning --checks=-*,smem-race %s 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: %lint-short --table --fail-on=never --checks=-*,smem-race %s 2>&1 | FileCheck --check-prefix=TABLE %s
// RUN: %lint-short --format=json --fail-on=never --checks=-*,smem-race %s | FileCheck --check-prefix=JSON %s
#define N 64

// TEXT: assumed.cu:[[#@LINE+21]]:{{[0-9]+}}: note: race: {{.*}} in a launch that is assumed: `flags` holds 1 everywhere, which decides the branch at line [[#@LINE+19]] [smem-race]
// TEXT-NOT: hint:
// TABLE: races: found in the launch as it is assumed: `flags` holds 1 everywhere, which decides the branch at line
// TABLE: races: not known: `*flag` is loaded from memory
// JSON: "kernel": "flagged",
// JSON: "races": {
// JSON-NEXT: "verdict": "race",
// JSON-NEXT: "between_warps": "race",
// JSON-NEXT: "within_warp": "free",
// JSON-NEXT: "between_blocks": "free",
// JSON-NEXT: "holds": "assumed",
// JSON-NEXT: "assumptions": [
// JSON-NEXT: "`flags` holds 1 everywhere, which decides the branch at line [[#@LINE+7]]"
// JSON-NEXT: ],
// JSON-NEXT: "reason": "`flags[threadIdx.x]` is loaded from memory at line [[#@LINE+5]]",

// smem-lint: launch grid=4 block=64
__global__ void flagged(float *o, const int *flags) {
  __shared__ float s[N];
  if (flags[threadIdx.x])
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:flagged grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: `flags` holds 1 everywhere, which decides the branch at line [[#@LINE-4]]
// CHECK:  between warps: line [[#@LINE-3]] read by (31,0,0), line [[#@LINE-4]] write by (32,0,0) of block (0,0,0), byte 128 of s, interval 0

// What one place holds is the same both times it is read.
// smem-lint: launch grid=4 block=64
__global__ void never_both(float *o, const int *flag) {
  __shared__ float s[N];
  if (*flag)
    s[threadIdx.x] = 1;
  if (!*flag)
    o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:never_both grid (4,1,1) block (64,1,1): unknown (between warps unknown, within a warp free): {{.*}}

// What the kernel writes may be something else by then.
// smem-lint: launch grid=4 block=64
__global__ void written(float *o, int *flags) {
  __shared__ float s[N];
  if (flags[threadIdx.x])
    s[threadIdx.x] = 1;
  flags[threadIdx.x] = 0;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:written grid (4,1,1) block (64,1,1): unknown (between warps unknown, within a warp free): {{.*}}

// So may what is written by a pointer that comes out of memory.
struct Node {
  Node *next;
  int v;
};
// smem-lint: launch grid=4 block=64
__global__ void written_elsewhere(float *o, Node *n, const int *f) {
  __shared__ float s[N];
  n->next->v = 0;
  if (f[threadIdx.x])
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:written_elsewhere grid (4,1,1) block (64,1,1): unknown {{.*}}

// Indices that are data may be a permutation.
// smem-lint: launch grid=4 block=64
__global__ void scatter(float *o, const int *to) {
  __shared__ float s[N];
  s[to[threadIdx.x]] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:scatter grid (4,1,1) block (64,1,1): unknown {{.*}}

// Of floating-point data, by way of shared memory.
// smem-lint: launch grid=4 block=64
__global__ void by_shared(float *__restrict__ o, const float *a) {
  __shared__ float s[N], t[N];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (t[N - 1 - threadIdx.x] > 0.5f)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:by_shared grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: `a` holds 1 everywhere, which decides the branch at line [[#@LINE-4]]

// A loop over data that ends makes no order.
// smem-lint: launch grid=4 block=64
__global__ void rows(float *o, const int *row, const float *v) {
  __shared__ float s[N];
  float x = 0;
  for (int i = row[blockIdx.x]; i < row[blockIdx.x + 1]; ++i)
    x += v[i];
  s[threadIdx.x] = x;
  if (threadIdx.x < 32)
    o[threadIdx.x] = s[threadIdx.x + 32];
}
// CHECK:rows grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: `row` holds 1 everywhere, which decides the branch at line [[#@LINE-6]]

// Rows that have elements: data that grow from one element to the next, the last array's more than the first one's.
__global__ void rows_with_elements(float *o, const int *row, const unsigned *column) {
  __shared__ float s[N];
  for (int i = row[blockIdx.x] + threadIdx.x; i < row[blockIdx.x + 1]; i += N)
    if (column[i] > blockIdx.x)
      s[0] = i;
  __syncthreads();
  o[threadIdx.x] = s[0];
}
// CHECK:rows_with_elements grid (4,1,1) block (64,1,1): race (between warps race, within a warp race) under assumed values: `row[i]` is 64 * i; `column[i]` is 64 * i + 1, which decide the branches at lines [[#@LINE-6]] and [[#@LINE-5]]

// An index that grows is still data, and of two pointers into one array neither counts from its own beginning.
__global__ void columns(float *o, const int *row, const unsigned *column) {
  __shared__ float s[N];
  for (int i = row[threadIdx.x]; i < row[threadIdx.x + 1]; ++i)
    s[column[i] % N] = i;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK:columns grid (4,1,1) block (64,1,1): unknown {{.*}}
__global__ void two_pointers(float *o, const int *begin, const int *end) {
  __shared__ float s[N];
  if (begin[threadIdx.x] < end[threadIdx.x + 1])
    s[0] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = s[0];
}
// CHECK:two_pointers grid (4,1,1) block (64,1,1): unknown {{.*}}

// One array is to hold less than another: they have to be two.
__global__ void two(float *o, const int *a, const unsigned *b) {
  __shared__ float s[N];
  if (a[threadIdx.x] < b[threadIdx.x])
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:two grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: `a` holds 1 everywhere; `b` holds 2 everywhere, which decide the branch at line [[#@LINE-4]]

// Of these nothing says so, nor where the same pointer is passed twice.
// smem-lint: launch grid=4 block=64
__global__ void perhaps_one(float *o, const int *a, const unsigned *b) {
  __shared__ float s[N];
  if (a[threadIdx.x] < b[threadIdx.x])
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:perhaps_one grid (4,1,1) block (64,1,1): unknown {{.*}}
__global__ void one(float *o, const int *a, const int *b) {
  __shared__ float s[N];
  if (a[threadIdx.x] < b[threadIdx.x])
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:one grid (4,1,1) block (64,1,1): unknown {{.*}}

// What is written by another pointer into the same array may be something else by then; of one that may lead there it is assumed that it does not.
template <int> __global__ void written_by_another(float *o, int *out, const int *flags) {
  __shared__ float s[N];
  out[threadIdx.x] = 0;
  __syncthreads();
  if (flags[threadIdx.x] == 1)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:written_by_another<0> grid (4,1,1) block (64,1,1): unknown {{.*}}
// CHECK:written_by_another<1> grid (4,1,1) block (64,1,1): race {{.*}} under assumed values: `flags` holds 1 everywhere, which decides the branch at line [[#@LINE-5]]
// CHECK:written_by_another<2> grid (4,1,1) block (64,1,1): race {{.*}} under assumed values: `flags` holds 1 everywhere and is not written by another pointer, which decides the branch at line [[#@LINE-6]]

void host(int *p) {
  float *o;
  int *a, *b;
  unsigned *c;
  cudaMalloc(&o, 4 * N * sizeof *o);
  cudaMalloc(&a, 4 * N * sizeof *a);
  cudaMalloc(&b, 4 * N * sizeof *b);
  cudaMalloc(&c, 4 * N * sizeof *c);
  rows_with_elements<<<4, N>>>(o, a, c);
  columns<<<4, N>>>(o, a, c);
  two_pointers<<<4, N>>>(o, a, a + 1);
  two<<<4, N>>>(o, a, c);
  one<<<4, N>>>(o, a, a + N);
  written_by_another<0><<<4, N>>>(o, a, a);
  written_by_another<1><<<4, N>>>(o, a, b);
  written_by_another<2><<<4, N>>>(o, p, p);
}

// An integer and the bytes that it is made of are one memory.
// smem-lint: launch grid=4 block=64
__global__ void views(float *o, const int *f) {
  __shared__ float s[N];
  if (f[threadIdx.x] == 1 && ((const char *)f)[4 * threadIdx.x + 1] == 1)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:views grid (4,1,1) block (64,1,1): unknown {{.*}}

// What orders all accesses orders them whatever the data are.
// smem-lint: launch grid=4 block=64
__global__ void ordered(float *o, const int *f) {
  __shared__ float s[N];
  if (f[threadIdx.x])
    s[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:ordered grid (4,1,1) block (64,1,1): free {{.*}}

// What an atomic returns, a volatile load and what a kernel's own arguments rule out are not made up.
// smem-lint: launch grid=4 block=64
__global__ void not_assumed(float *o, int *f, volatile const int *g) {
  __shared__ float s[N];
  if (atomicAdd(f, 1) == 0 && *g == 1)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:not_assumed grid (4,1,1) block (64,1,1): unknown {{.*}}

// With what would make it race a thread never comes back from the barrier.
// smem-lint: launch grid=4 block=64
__global__ void hangs(float *o, const int *f) {
  __shared__ float s[N];
  if (f[threadIdx.x] == 1 && threadIdx.x < 16) {
    __syncthreads();
    s[threadIdx.x] = 1;
  }
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:hangs grid (4,1,1) block (64,1,1): unknown {{.*}}

// No launch has a value with which the kernel leaves its array.
// smem-lint: launch grid=4 block=64
__global__ void outside(float *o, const int *f) {
  __shared__ float s[N];
  for (int i = 0; i < f[0]; ++i)
    s[N + i] = 2;
  if (f[0] == 1)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:outside grid (4,1,1) block (64,1,1): unknown {{.*}}

// Nor one with which it is in the next array.
// smem-lint: launch grid=4 block=64
__global__ void in_the_next(float *o, const float *a, const int *f) {
  __shared__ float s[1][N], t[N];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int row = 0;
  if (f[0])
    row = 1;
  s[row][N - 1 - threadIdx.x] = a[threadIdx.x];
  o[threadIdx.x] = t[threadIdx.x];
}
// CHECK:in_the_next grid (4,1,1) block (64,1,1): unknown {{.*}}

// One that is followed to either of two arrays may be outside the one that it should be in.
// smem-lint: launch grid=4 block=64
__global__ void in_either(float *o, const int *f) {
  __shared__ float s[N], t[N];
  float *p = f[1] ? s : t;
  if (f[0])
    p[threadIdx.x] = 1;
  o[threadIdx.x] = p[N - 1 - threadIdx.x] + s[0] + t[0];
}
// CHECK:in_either grid (4,1,1) block (64,1,1): unknown {{.*}}

// However the type is qualified.
// smem-lint: launch grid=4 block=64
__global__ void qualified(float *o, const int *const flags) {
  __shared__ float s[N];
  if (flags[threadIdx.x] == 1)
    s[threadIdx.x] = 1;
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK:qualified grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: `flags` holds 1 everywhere, which decides the branch at line [[#@LINE-4]]

// What was made up says nothing of barriers: this mask is wrong in the launch as it is.
// JSON: "kernel": "and_divergent",
// JSON: "races": {
// JSON: "holds": "assumed",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "divergent",
// JSON-NEXT: "holds": "launch",
// smem-lint: launch grid=4 block=64
__global__ void and_divergent(float *o, const int *flags) {
  __shared__ float s[N];
  if (flags[threadIdx.x] == 1)
    s[threadIdx.x] = 1;
  float x = s[N - 1 - threadIdx.x];
  if (threadIdx.x < 16)
    x += __shfl_sync(~0u, x, 0);
  o[threadIdx.x] = x;
}
// CHECK:and_divergent grid (4,1,1) block (64,1,1): race (between warps race, within a warp free) under assumed values: {{.*}}
