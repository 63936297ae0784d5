// Floating-point arguments are printed as the source writes them, not as bits.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>
#include <cuda_fp16.h>
struct Scale { float by; double offset; int n; };
__global__ void k(float *t, float a, double b, Scale s) { t[threadIdx.x] = (a > 1 ? b : s.by) * s.offset + s.n; }
__global__ void other(float *t, float rate) { if (rate > 0.5f) t[threadIdx.x] = 1; }

// CHECK: {{^}}k  grid=(1) block=(32) a=1.5f b=0.25 s.by=-2.0f s.offset=1e+30 s.n=3
// CHECK: {{^}}other  grid=(1) block=(32) rate=3.0f
// CHECK-NEXT: launch:
// CHECK-NEXT: assumed: rate=3.0f follows from scale = 1
int main() {
  float *t;
  cudaMalloc(&t, 1024);
  k<<<1, 32>>>(t, 1.5f, 0.25, Scale{-2.f, 1e30, 3});
}
void with_rate(float *t, float scale) { other<<<1, 32>>>(t, 3 * scale); }
