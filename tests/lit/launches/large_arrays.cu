// Arrays that host code fills cost what differs, not a copy of the array for each element; what is lost of them is said.
// What they hold is the program's: no value is chosen for it.
// RUN: %lint %s 2>&1 | FileCheck %s
// RUN: %lint %s -- -DLARGE 2>&1 | FileCheck %s
#include <cuda_runtime.h>

#ifdef LARGE
const int n = 2048;
#else
const int n = 1024;
#endif
int h[n][n];
__global__ void k(int *t, int a, int b) { t[threadIdx.x + a + b] = 1; }

int main() {
  int *t, small[64][64] = {};
  cudaMalloc(&t, 1 << 20);
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++)
      if (c < 1000 && r < 1000) h[c][r] = c ^ r;
      else h[c][r] = c == r ? 0 : 2147483647;
  small[3][4] = 5;
  k<<<1, 32>>>(t, small[3][4], small[4][3]);
  // CHECK: k  grid=(1) block=(32) a=5 b=0
  k<<<2, 32>>>(t, small[3][4], h[5][6]);
  // CHECK: k  grid=(2) block=(32) a=5 b=?
  // CHECK-NOT: assumed:
  // CHECK: not known: b: depends on {{.*}} not {{known|followed}} (line
  // CHECK: t[threadIdx.x + a + b]  store 32 {{.*}} unknown
  // CHECK-NOT: assumed:
}
