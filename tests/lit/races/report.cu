// What is reported of races: where, which threads, and the barrier with which they vanish.
// RUN: %lint --fail-on=never %s > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %lint-short --fail-on=never --format=json %s > %t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=JSON
// RUN: %lint-short --fail-on=never --format=sarif %s | FileCheck %s --check-prefix=SARIF
// RUN: %lint-short --fail-on=never --checks=-smem-race,-smem-uninitialized --format=json %s | FileCheck %s --check-prefix=OFF
// RUN: %lint-short --fail-on=never --format=html %s | FileCheck %s --check-prefix=HTML
// RUN: rm -rf %t.cache
// RUN: %lint --fail-on=never --cache-dir=%t.cache %s | diff %t.txt -
// RUN: %lint --fail-on=never --cache-dir=%t.cache %s | diff %t.txt -
#define N 256

// smem-lint: launch grid=4 block=256
// smem-lint: expect race-free
__global__ void reverse(float *o, const float *a) {
  __shared__ float s[N];
  s[threadIdx.x] = a[threadIdx.x];
  // CHECK-DAG: [[#@LINE+2]]:20: warning: race: thread (127,0,0) reads s[N - 1 - threadIdx.x], thread (128,0,0) writes it on line [[#@LINE-1]], with no __syncthreads() between them [smem-race]
  // CHECK-DAG: hint: {{ *}}`__syncthreads();` before line [[#@LINE+1]]: then these two no longer race in this launch
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK-DAG: [[#@LINE-8]]:4: error: expectation `race-free` is broken: threads of reverse race [expectation-broken]

// Both requests, from the begin of the array; the lanes, what they do and their lines; the byte; the barriers around.
// HTML: "z":{"q":{{\[\[}}"thread (127,0,0)",4,"ffffffff",636,-4],["thread (128,0,0)",4,"ffffffff",512,4]],"w":{{\[\[}}31,"reads",[[#@LINE-5]]],[0,"writes",[[#@LINE-8]]]],"b":512,"n":"s","o":false,"i":[0,0,0]}

// JSON: "kernel": "reverse",
// JSON: "races": {
// JSON-NEXT: "verdict": "race",
// JSON-NEXT: "between_warps": "race",
// JSON-NEXT: "within_warp": "free",
// JSON-NEXT: "between_blocks": "free",
// JSON-NEXT: "holds": "launch",
// JSON-NEXT: "reason": null,
// JSON: "kind": "between_warps",
// JSON: "array": "s",
// JSON-NEXT: "byte": 512,
// JSON-NEXT: "barriers_passed": 0,
// JSON-NEXT: "last_barrier": null,
// JSON-NEXT: "next_barrier": null,
// JSON: "expression": "s[N - 1 - threadIdx.x]",
// JSON-NEXT: "operation": "load",
// JSON: "expression": "s[threadIdx.x]",
// JSON-NEXT: "operation": "store",
// JSON: "insert": "__syncthreads();",
// JSON-NEXT: "where": "before",

// JSON: "kernel": "warp_synchronous",
// JSON: "between_warps": "free",
// JSON-NEXT: "within_warp": "race",
// JSON: "kind": "within_warp",
// JSON: "insert": "__syncwarp();",

// JSON: "kernel": "flag",
// JSON: "barriers": {
// JSON-NEXT: "verdict": "uniform",
// JSON-NEXT: "holds": "always",

// JSON: "kernel": "differences",
// JSON: "unwritten_reads": [
// JSON: "array": "s",
// JSON-NEXT: "byte": 1024,
// JSON: "kernel": "of_host",
// JSON: "races": {
// JSON-NEXT: "verdict": "race",
// JSON: "kernel": "of_size",
// JSON: "races": {
// JSON: "holds": "assumed",
// JSON: "kernel": "unknown_block",
// JSON: "races": {
// JSON-NEXT: "verdict": "race",
// JSON: "holds": "assumed",
// JSON-NEXT: "assumptions": [
// JSON-NEXT: "block=(256,1,1): not known from the source, and threads race in 6 blocks that were tried"

// SARIF: "ruleId": "smem-race",
// SARIF: "text": "thread (128,0,0) writes it here"
// SARIF: "codeFlows": [
// SARIF: "text": "thread (127,0,0) reads it here"
// SARIF: "text": "thread (128,0,0) writes it here"
// SARIF: "text": "race of lanes of one warp

// OFF-NOT: "races"
// OFF: cannot be shown to hold: smem-race is not checked
// OFF-NOT: "races"

// The second barrier is missing, and in the loop no line is before both.
// smem-lint: launch grid=4 block=256
__global__ void rotate(float *o, int rounds) {
  __shared__ float s[N];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    // CHECK-DAG: [[#@LINE+2]]:18: warning: race: thread ({{[0-9]+}},0,0) reads s[(threadIdx.x + 40) % N], thread ({{[0-9]+}},0,0) writes it on line [[#@LINE+3]], with no __syncthreads() between them [smem-race]
    // CHECK-DAG: hint: {{ *}}`__syncthreads();` before line [[#@LINE+2]] and before line [[#@LINE+1]]: then these two no longer race in this launch
    float next = s[(threadIdx.x + 40) % N];
    s[threadIdx.x] = next + rounds;
  }
  o[threadIdx.x] = s[threadIdx.x];
}

// Only some threads come to the accesses: the barrier stands before the branch.
// smem-lint: launch grid=4 block=256
__global__ void guarded(float *o) {
  __shared__ float s[N];
  if (threadIdx.x < 32)
    s[threadIdx.x] = threadIdx.x;
  // CHECK-DAG: [[#@LINE+3]]:22: warning: race: thread (64,0,0) reads s[threadIdx.x - 64], thread (0,0,0) writes it on line [[#@LINE-1]]
  // CHECK-DAG: hint: {{ *}}`__syncthreads();` before line [[#@LINE+1]]: then these two no longer race in this launch
  if (threadIdx.x >= 64 && threadIdx.x < 96)
    o[threadIdx.x] = s[threadIdx.x - 64];
}

// smem-lint: launch grid=4 block=64
__global__ void warp_synchronous(float *o) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float *v = s;
    v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + 32];
    // CHECK-DAG: [[#@LINE+1]]:22: note: race of lanes of one warp: thread (0,0,0) reads v[threadIdx.x + 8], thread (8,0,0) writes it on line [[#@LINE-1]], with no __syncwarp() between them [smem-race]
    o[threadIdx.x] = v[threadIdx.x + 8];
  }
}

// Two writes of one value are no race.
// smem-lint: launch grid=4 block=64
__global__ void flag(float *o) {
  __shared__ int any;
  // CHECK-DAG: [[#@LINE+1]]:7: note: threads write one value to the same place of shared memory: thread (0,0,0) and thread (1,0,0) [smem-race]
  any = 1;
  __syncthreads();
  o[threadIdx.x] = any;
}

// smem-lint: launch grid=4 block=256
__global__ void known_by_the_reader(float *o) {
  __shared__ float s[N];
  s[threadIdx.x] = threadIdx.x;
  o[threadIdx.x] = s[N - 1 - threadIdx.x]; // NOLINT(smem-race): not so
}

// Lane 255 reads one element more than anyone writes; that of `n` is not known to be none.
// smem-lint: launch grid=4 block=256
__global__ void differences(float *o, int n) {
  __shared__ float s[N + 1], t[N];
  s[threadIdx.x] = threadIdx.x;
  if (n > 0)
    t[threadIdx.x] = n;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+1]]:20: warning: thread (255,0,0) reads s[threadIdx.x + 1], which no thread of its block has written [smem-uninitialized]
  o[threadIdx.x] = s[threadIdx.x + 1] - s[threadIdx.x] + t[threadIdx.x];
}

// Free, and whoever expects it is content.
// smem-lint: launch grid=4 block=256
// smem-lint: expect race-free
template <int Pitch>
__global__ void transposed(float *o) {
  __shared__ float s[16 * Pitch];
  s[threadIdx.x / 16 * Pitch + threadIdx.x % 16] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x % 16 * Pitch + threadIdx.x / 16];
}
template __global__ void transposed<17>(float *);

// What depends on a value that is not known is neither a race nor free of one.
// CHECK-DAG: [[#@LINE+2]]:4: error: expectation `race-free` cannot be shown to hold: {{.*}} [expectation-broken]
// smem-lint: launch grid=4 block=256
// smem-lint: expect race-free
__global__ void shifted(float *o, int by) {
  __shared__ float s[2 * N];
  s[threadIdx.x] = threadIdx.x;
  o[threadIdx.x] = s[threadIdx.x + by];
}

// A race whatever the grid and `n` are.
__global__ void of_host(float *o, int n) {
  __shared__ float s[N];
  s[threadIdx.x] = n;
  // CHECK-DAG: [[#@LINE+1]]:20: warning: race: thread (127,0,0) reads s[N - 1 - threadIdx.x], thread (128,0,0) writes it on line [[#@LINE-1]]
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
// CHECK-DAG: cost: {{ *}}in of_host launched with block=(256,1,1)
void host(float *o, int n) { of_host<<<n, N>>>(o, n); }

// Which of them race depends on `n`, whose value was assumed: a note, which names it.
__global__ void of_size(float *o, int n) {
  __shared__ float s[N];
  if (threadIdx.x < n)
    s[threadIdx.x] = n;
  // CHECK-DAG: [[#@LINE+2]]:20: note: race: thread (127,0,0) reads s[N - 1 - threadIdx.x], thread (128,0,0) writes it on line [[#@LINE-1]], with no __syncthreads() between them, in a launch that is assumed: n = 1024 [smem-race]
  // CHECK-DAG: cause: block (0,0,0), byte 512 of s, before the first barrier; assumed: {{.*}}n = 1024 (parameter of host_of_size)
  o[threadIdx.x] = s[N - 1 - threadIdx.x];
}
void host_of_size(float *o, int n) { of_size<<<16, N>>>(o, n); }

// Nothing is known of how many threads a block has: a race that each block has which was tried is a note.
__global__ void unknown_block(float *o) {
  __shared__ float s[1024];
  s[threadIdx.x] = 1;
  // CHECK-DAG: [[#@LINE+1]]:20: note: race: thread ({{.*}}) reads s[blockDim.x - 1 - threadIdx.x], thread ({{.*}}) writes it on line [[#@LINE-1]], with no __syncthreads() between them, in a launch that is assumed: block=(256,1,1) [smem-race]
  o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// CHECK-DAG: [[#@LINE+1]]:4: error: expectation `race-free` is stale: no kernel begins on line [[#@LINE+2]] [expectation-stale]
// smem-lint: expect race-free
void no_kernel();
