// The line that a barrier is suggested before is where it was tried, and all threads come by there.
// RUN: %lint --fail-on=never --checks=-*,smem-race %s | FileCheck %s

// Before the loop, the barrier would be executed once, before what the loop writes.
// smem-lint: launch grid=1 block=64
__global__ void behind_a_loop(int *out, const int *in) {
  __shared__ int s[2][64];
  int p = 0, t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 0; d < 4; ++d) {
    s[1 - p][t] = s[p][t] + 1;
    p = 1 - p;
  }
  // CHECK: [[#@LINE+2]]:12: warning: race: thread (31,0,0) reads s[p][63 - t], thread (32,0,0) writes it on line [[#@LINE-3]]
  // CHECK: hint: {{ *}}`__syncthreads();` before line [[#@LINE+1]]: then these two no longer race
  out[t] = s[p][63 - t];
}

// One lane of the warp does not come to what stands in the branch.
// smem-lint: launch grid=1 block=32
__global__ void all_but_one(int *out, const int *in) {
  __shared__ int s[32];
  int t = threadIdx.x, r = 0;
  s[t] = in[t];
  if (t < 31) {
    r = s[t + 1];
  }
  out[t] = r;
}
// CHECK: note: race of lanes of one warp: {{.*}}thread (1,0,0) writes it on line [[#@LINE-6]]
// CHECK: hint: {{ *}}`__syncwarp();` before line [[#@LINE-6]]: then these two no longer race

// Nor is that so where the kernel has such a barrier already.
// smem-lint: launch grid=1 block=128
__global__ void has_one_already(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[127 - t] = 1;
  if (t == 0) {
    __syncwarp();
    s[0] = 3;
  }
  out[t] = t;
  __syncthreads();
}
// CHECK: note: race: thread (0,0,0) writes s[0]
// CHECK: hint: {{ *}}`__syncthreads();` before line [[#@LINE-8]]: then these two no longer race

// Where another race is left, too, a barrier is no place for the first lanes of the warps.
// smem-lint: launch grid=1 block=64
__global__ void two_races(int *out) {
  __shared__ int s[64], n;
  int t = threadIdx.x, r = 0;
  if (t == 0)
    n = 0;
  s[t] = t;
  r += n;
  if (t % 32 == 0) {
    r += s[63 - t];
  }
  __syncthreads();
  out[t] = r + s[t];
}
// CHECK: warning: race: {{.*}}reads n
// CHECK: hint: {{ *}}`__syncthreads();` before line [[#@LINE-8]]: then these two no longer race
// CHECK: warning: race: {{.*}}reads s[63 - t]
// CHECK: hint: {{ *}}`__syncthreads();` before line [[#@LINE-9]]: then these two no longer race
