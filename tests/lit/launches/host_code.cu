// What host code says about a launch, in the ways in which people write it.
// RUN: %lint %s 2>&1 | FileCheck %s
// CHECK-NOT: {{warning|error|note}}:
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out, int n) {
  const int i = (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = TAG;
}

// CHECK-LABEL: k<1>  grid=(8) block=(128) n=1024
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+1]]:
void literals(float *out) { k<1><<<8, 128>>>(out, 1024); }

// CHECK-LABEL: k<2>  grid=(4,2) block=(32,4) n=1024
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+4]]:
void dim3_variables(float *out) {
  dim3 block(32, 4), grid(4);
  grid.y = 2;
  k<2><<<grid, block>>>(out, 1024);
}

// CHECK-LABEL: k<3>  grid=(40) block=(256) n=10000
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+4]]:
void ceil_div(float *out) {
  const int n = 10000, threads = 256;
  const int blocks = (n + threads - 1) / threads;
  k<3><<<blocks, threads>>>(out, n);
}

constexpr int kTile = 16;
constexpr int up(int n, int d) { return (n + d - 1) / d; }
// CHECK-LABEL: k<4>  grid=(7,7) block=(16,16) n=100
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+3]]:
void constexpr_function(float *out) {
  constexpr int n = 100;
  k<4><<<dim3(up(n, kTile), up(n, kTile)), dim3(kTile, kTile)>>>(out, n);
}

// CHECK-LABEL: k<5>  grid=(16) block=(64) n=1000
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+2]]:
static void launcher(float *out, int n, int threads) {
  k<5><<<(n + threads - 1) / threads, threads>>>(out, n);
}
void calls_launcher(float *out) { launcher(out, 1000, 64); }

// CHECK-LABEL: k<6>  grid=(6) block=(32) n=192
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+3]]:
// CHECK-LABEL: k<7>  grid=(7) block=(32) n=224
// CHECK-NEXT: launch: host code at {{.*}}:[[#@LINE+1]]:
template <int TAG> static void templated(float *out) { k<TAG><<<TAG, 32>>>(out, 32 * TAG); }
void instantiates(float *out) {
  templated<6>(out);
  templated<7>(out);
}
