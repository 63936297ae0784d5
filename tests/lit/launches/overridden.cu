// What is said of a launch replaces what the host code's rests on, where it is all that the kernel looks at.
// RUN: %lint --fail-on=never %s | FileCheck --check-prefix=HOST %s
// RUN: %lint --fail-on=never --launch 'copy:block=(64) grid=(4) n=256' %s | FileCheck --check-prefix=ALL %s
// RUN: %lint --fail-on=never --launch 'copy:block=(64) grid=(4)' %s | FileCheck --check-prefix=SHAPE %s
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void copy(int n, const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  copy<<<(n + 63) / 64, 64>>>(n, nullptr, nullptr);
}
// HOST: copy grid=(64) block=(64) n=4096
// HOST: the program is run without arguments
// ALL: copy grid=(4) block=(64) n=256
// ALL-NOT: without arguments
// ALL: 2 exact, 0 assumed, 0 unknown
// SHAPE: copy grid=(4) block=(64) n=4096
// SHAPE: the program is run without arguments
