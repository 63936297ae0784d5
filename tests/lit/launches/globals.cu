// Variables at namespace scope have their values before main runs: constants that a path mentions which is only tried keep them, and
// an initialiser does not see what main assigns later.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[threadIdx.x] = TAG; }

const int threads = 96;
template <int N> struct Width {
  static constexpr int value = N;
};
int width = 32;
const int width_at_start = width;
int changed = 64;

template <class Launch> void dispatch(Launch launch, int width) {
  switch (width) { // the cases that are not taken are tried for their launches
  case 128: launch(Width<128>()); break;
  case 256: launch(Width<256>()); break;
  default: break;
  }
}

// CHECK: {{^}}k<1>  grid=(1) block=(96)
// CHECK: {{^}}k<3>  grid=(1) block=(128)
// CHECK: {{^}}k<3>  grid=(1) block=(256)
// CHECK: {{^}}k<4>  grid=(1) block=(32)
// CHECK: {{^}}k<5>  grid=(1) block=(160)
// CHECK-NOT: assumed block
int main(int argc, char **argv) {
  float *out;
  cudaMalloc(&out, 4096);
  if (argc > 5)
    k<1><<<1, threads>>>(out);
  const auto launch = [&](auto n) { k<3><<<1, n.value>>>(out); };
  dispatch(launch, 128);
  dispatch(launch, 256);
  width = 512;
  changed = 160;
  k<4><<<1, width_at_start>>>(out);
  k<5><<<1, changed>>>(out);
}
