// Lanes that go on behind the inner loop while others stay in it do so once, though the simulator tries whether the rest of the loop is alike. Which lanes come to a switch's cases is not known; none comes
// to a default that cannot be, and all go on behind the branch around it.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(32) grid=(1) n=100 m=7
__global__ void leaves_both_loops(float *p, float *out, int n, int m) {
  int t = threadIdx.x, x = (t + 64) * 3 & 31;
  float v = m;
  while (x < n) {
    if (x & 1) {
      x += 3;
      continue;
    }
    v = v * p[x] + p[x];
    x += t + 65;
  }
  out[x * 8] = 1;
}
// CHECK: leaves_both_loops grid=
// CHECK: {{^ *}}[[#@LINE-3]]:{{.*}} store 32 {{ *}}1 {{ *}}23 {{.*}}exact

// smem-lint: launch block=(32) grid=(1) n=100 m=7
__global__ void switch_on_what_is_loaded(float *__restrict__ p, const float *q, const int *d, float *out, int n, int m) {
  int t = threadIdx.x, x = 0;
  float v = m;
  p[t] += p[t + 64];
  if (t >= m) {
    switch (d[t] & 3) {
    case 0: p[t + 1] = q[t + n]; break;
    case 1: x = d[t] & 63;
    case 2: p[2 * t] = v;
    }
  } else {
    if (t / 32 == m) return;
  }
  out[t] = v;
}
// CHECK: switch_on_what_is_loaded grid=
// CHECK: {{^ *}}[[#@LINE-3]]:{{.*}} out[t] {{ *}}store 32 {{ *}}1 {{ *}}4 {{.*}}exact
