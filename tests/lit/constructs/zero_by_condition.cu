// That an index is not zero a condition says, and nvcc's alias analysis asks no conditions: `s[t]` may be `s[t + n]` to it, is loaded again behind a store to the other (`LDS` on that line of the machine code), and
// stores of neighbours around such a store stay apart (no `STS.64`).
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// smem-lint: launch block=(128) grid=(1) n=4
__global__ void loaded_again(const float *in, float *out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (n > 0) {
    const float before = s[t]; // load 32 exact
    s[t + n] = 1;
    const float after = s[t]; // load 32 exact
    out[t] = before + after;
  }
}
// CHECK: loaded_again grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1)
__global__ void the_first(float *data, float *out) {
  const int t = threadIdx.x;
  if (t > 0) {
    const float before = data[0]; // load 32 exact
    data[t] = 1;
    const float after = data[0]; // load 32 exact
    out[t] = before + after;
  }
}
// CHECK: the_first grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// smem-lint: launch block=(128) grid=(1) n=400 dynamic=4096
__global__ void stored_in_turn(const float *x, const float *y, float *out, int n) {
  extern __shared__ float both[];
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i) {
      both[i] = x[i];     // store 32 exact
      both[i + n] = y[i]; // store 32 exact
    }
  __syncthreads();
  out[threadIdx.x] = both[threadIdx.x];
}
// CHECK: stored_in_turn grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}store 32 {{.*}}exact

// Nor does it ask whether what an index is computed from can be zero.
// smem-lint: launch block=(128) grid=(1) step=2
__global__ void a_power_apart(int *data, int step) {
  const int t = threadIdx.x;
  const int before = data[t]; // load 32 exact
  data[t] = data[t + (1 << step)]; // load 32 exact
  data[t + (1 << step)] += before; // load 32 exact
}
// CHECK: a_power_apart grid=
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact

// A constant further on is another place, with a condition and without.
// smem-lint: launch block=(128) grid=(1) n=4
__global__ void a_constant_apart(const float *in, float *out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (n > 0) {
    const float before = s[t]; // load 32 exact
    s[t + 4] = 1;
    const float after = s[t]; // none
    out[t] = before + after;
  }
}
// CHECK: a_constant_apart grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-6]]:

// So is one of an index that may wrap.
// smem-lint: launch block=(128) grid=(1) n=4
__global__ void of_an_unsigned_index(float *data, float *out, unsigned n) {
  const unsigned i = threadIdx.x * 2 + n;
  const float before = data[i]; // load 32 exact
  data[i + 1] = 1;
  const float after = data[i]; // none
  out[threadIdx.x] = before + after;
}
// CHECK: of_an_unsigned_index grid=
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{[0-9]+}} {{.*}}load 32 {{.*}}exact
// CHECK-NOT: {{^ *}}[[#@LINE-5]]:
