// Sizes that go through the functions of <cmath> and <cstdlib>.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[threadIdx.x] = TAG; }

// CHECK: {{^}}k<1>  grid=(24) block=(32)
// CHECK: {{^}}k<2>  grid=(7) block=(32)
// CHECK: {{^}}k<3>  grid=(3) block=(32)
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  const int n = 95;
  k<1><<<(int)rint((float)n / 4.0f), 32>>>(out);
  k<2><<<std::abs(n - 102), 32>>>(out);
  k<3><<<(unsigned)std::nearbyint(2.6), 32>>>(out);
}
