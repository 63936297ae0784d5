// What lies in headers of the toolkit or of the system has no findings unless a header filter names it; its rows are there all the same.
// RUN: %lint %s | FileCheck %s
// RUN: not %lint %s --header-filter=library | FileCheck %s --check-prefix=WANTED
#include "Inputs/usr/include/library.cuh"

void launch(float *out, const float *in) { library_transpose<<<1, dim3(32, 32)>>>(out, in); }

// CHECK-NOT: warning:
// CHECK: library_transpose<float>  grid=(1) block=(32,32)
// CHECK: tile[threadIdx.x][threadIdx.y]  load 32 {{.*}} 32-way  exact
// CHECK: no findings in 1 file, 1 kernel, 1 launch on sm_90

// WANTED: library.cuh:6:41: warning: 32-way bank conflict
