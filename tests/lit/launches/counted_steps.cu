// What host code costs is counted: a program ends at the same statement wherever it is analysed. An iteration of this loop takes 165 steps of
// 400,000; one that took more, or did something twice, would not come as far.
// RUN: %lint --fail-on=never %s -- -DN=2423 2>&1 | FileCheck %s --check-prefix=WITHIN
// RUN: %lint --fail-on=never %s -- -DN=2424 2>&1 | FileCheck %s --check-prefix=BEYOND
#include <cuda_runtime.h>

#define TEN(x) x + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10

__global__ void k(float *out) { out[threadIdx.x] = 1; }

// WITHIN-NOT: too long to be followed
// WITHIN: {{^}}k  grid=(1) block=(64)
// BEYOND: counted_steps.cu:[[#@LINE+2]]:5: warning: the program is too long to be followed to its end
// BEYOND-NOT: block=(64)
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  long sum = 0;
  for (int i = 0; i < N; ++i) {
    k<<<1, 32>>>(out);
    sum = TEN(TEN(TEN(TEN(sum))));
  }
  k<<<1, 64>>>(out + sum);
}
