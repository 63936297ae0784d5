// An assumption under which the kernel leaves its arrays is none: the next one is tried, and if none is left nothing is reported.
// RUN: %lint %s 2>&1 | FileCheck %s
// RUN: not %lint %s --launch "most:n=4096" 2>&1 | FileCheck %s --check-prefix=SAID
#include <cuda_runtime.h>

__global__ void some(float *out, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void most(float *out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 2048 + n];
}
// CHECK-NOT: out of bounds
// CHECK-NOT: outside
// CHECK: note: launch of most is not known entirely; every launch that was tried reads or writes outside of an array, so none of them is reported [launch-unknown]
// CHECK: hint: say what is not known: --launch 'most:n=<value>'
// CHECK-NOT: warning
// CHECK: {{^}}some  grid=(1) block=(32) shared=256 B n={{64|32|16$}}
// SAID: outside
void run(float *out, int n) {
  some<<<1, 32>>>(out, n);
  most<<<1, 32>>>(out, n);
}
