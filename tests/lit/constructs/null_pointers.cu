// Pointers that are null in some of the lanes: each lane's own decides.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

// Eight lanes of each warp have one.
// smem-lint: launch block=(256) grid=(1)
__global__ void table_of_pointers(const float *a, float *out) {
  const int t = threadIdx.x;
  const float *table[4] = {nullptr, a, nullptr, nullptr};
  const float *p = table[(t / 8) % 4];
  float v = 0;
  if (p)
    v = a[t];
  // CHECK-LABEL: {{^}}table_of_pointers
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}a[t] {{ *}}load 32 {{ *}}8 {{ *}}8 {{.*}}exact
  out[t] = v;
}

// smem-lint: launch block=(256) grid=(1)
__global__ void of_two_arrays(const float *a, const float *b, float *out) {
  const int t = threadIdx.x;
  const float *table[4] = {a, nullptr, b, nullptr};
  const float *p = table[(t / 8) % 4];
  if (p == nullptr)
    out[t] = 1;
  // CHECK-LABEL: {{^}}of_two_arrays
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[t] {{ *}}store 32 {{ *}}8 {{ *}}16 {{.*}}exact
}

// smem-lint: launch block=(256) grid=(1) n=20
__global__ void set_and_reset(const float *in, float *out, int n) {
  const int t = threadIdx.x;
  float *p = nullptr;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    if (t > i * 10 + 4) p = out;
    if (t > i * 20 + 10) p = nullptr;
  }
  if (p)
    out[2 * t] = in[t];
  // CHECK-LABEL: {{^}}set_and_reset
  // CHECK: {{^ *}}[[#@LINE-2]]:{{.*}}out[2 * t] {{ *}}store 32 {{ *}}8 {{ *}}63 {{.*}}exact
}
