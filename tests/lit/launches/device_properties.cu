// What host code asks the GPU: limits follow from the architecture, the number of multiprocessors is an assumption that is named.
// RUN: %lint %s | FileCheck %s
// RUN: %lint --arch=sm_80 %s | FileCheck --check-prefix=AMPERE %s
#include <cuda_runtime.h>

template <int TAG> __global__ void k(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = TAG; }

// CHECK: {{^}}k<1>  grid=(264) block=(256)
// CHECK: assumed: there is one GPU and it has 132 multiprocessors, as H100 SXM or H200 has
// CHECK: {{^}}k<2>  grid=(8) block=(1024)
// CHECK-NOT: multiprocessors
// CHECK: {{^}}k<3>  grid=(2) block=(32)
// AMPERE: {{^}}k<1>  grid=(216) block=(256)
// AMPERE: 108 multiprocessors, as A100 has
// AMPERE: {{^}}k<3>  grid=(2) block=(64)
int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  k<1><<<2 * properties.multiProcessorCount, 256>>>(out);
  int threads = 0;
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
  k<2><<<properties.maxThreadsPerMultiProcessor / 256, threads>>>(out);
  if (properties.major >= 9)
    k<3><<<2, properties.warpSize>>>(out);
  else
    k<3><<<2, 64>>>(out);
}
