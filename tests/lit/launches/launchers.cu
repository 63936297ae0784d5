// A loop of a function that is given a launcher is followed to its end only if it calls what it was given: one that fills an
// array takes nothing away from the launches after it.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cstdlib>
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[threadIdx.x] = TAG; }
template <int TAG> void launch(float *out, int n) { k<TAG><<<n, 32>>>(out); }

void check(void (*launcher)(float *, int), int n) {
  float *out, *expected = (float *)std::malloc(1 << 20);
  cudaMalloc(&out, 4096);
  for (int i = 0; i < 1 << 18; ++i)
    expected[i] = (std::rand() % 200 - 100) * 0.01f;
  for (int repeat = 0; repeat < 2; ++repeat)
    launcher(out, n + repeat);
}

// CHECK-NOT: too long
// CHECK: {{^}}k<1>  grid=(1) block=(32)
// CHECK: {{^}}k<1>  grid=(40) block=(32)
// CHECK: {{^}}k<1>  grid=(41) block=(32)
// CHECK: {{^}}k<2>  grid=(7) block=(32)
// CHECK: {{^}}k<2>  grid=(8) block=(32)
// CHECK-NOT: too long
int main() {
  for (int size = 1; size <= 40; ++size)
    check(launch<1>, size);
  check(launch<2>, 7);
}
