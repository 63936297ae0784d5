// Variables whose type is not declared here are left out with the functions that use them; the rest is analysed.
// RUN: not %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>
namespace outer { namespace inner {
__constant__ type_of_no_header table[] = {0x80, 0x0};
__device__ type_of_no_header single;
static const type_of_no_header pair[2] = {1, 2};
__device__ int of_table(int i) { return table[i]; }
// CHECK: error: {{.*}}unknown type name 'type_of_no_header'
// CHECK-NOT: crashed
// CHECK: {{^}}outer::inner::stands_alone  grid=(64) block=(256)
__global__ void stands_alone(int *out) { out[threadIdx.x] = 1; }
__global__ void reads(int *out) { out[threadIdx.x] = of_table(threadIdx.x); }
}}
