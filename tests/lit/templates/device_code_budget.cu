// What instantiations of a template a file has more than --max-device-code allows are counted and left out; one of each kernel stays, so that each
// line has an answer. The launches of what is left out are no clean bill: the exit code is that of an incomplete analysis.
// RUN: not %lint --fail-on=never --max-device-code=60 %s > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --check-prefix=ALL %s
#include <cuda_runtime.h>

template <int N> __global__ void columns(float *out) {
  __shared__ float tile[32 * 32];
  tile[threadIdx.x * 32 + N] = N;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void rows(float *out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// CHECK-DAG: device_code_budget.cu:8:34: error: 4 of 5 instantiations of this kernel are not analysed: the file's device code has more than 60 instructions (--max-device-code)
// CHECK-DAG: 32-way bank conflict: store of tile
// CHECK-DAG: {{^}}rows  grid=(1) block=(32)
// CHECK-DAG: {{^}}columns<0>  grid=(1) block=(32)
// CHECK-DAG: 1 file analysed in part only
// ALL-NOT: not analysed
// ALL: {{^}}columns<4>
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  columns<0><<<1, 32>>>(out);
  columns<1><<<1, 32>>>(out);
  columns<2><<<1, 32>>>(out);
  columns<3><<<1, 32>>>(out);
  columns<4><<<1, 32>>>(out);
  rows<<<1, 32>>>(out);
}
