// What goes through units without rules is named once a file, not passed over; the rest of the kernel is counted all the same.
// RUN: %lint %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int SCALE> __global__ void images(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *out) {
  const float texel = tex2D<float>(texture, threadIdx.x, blockIdx.x) * SCALE;
  out[threadIdx.x] = texel + tex1Dfetch<float>(texture, threadIdx.x);
  surf2Dwrite(texel, surface, threadIdx.x * 4, blockIdx.x);
}

__global__ void heap(int **out) {
  out[threadIdx.x] = (int *)malloc(16);
}

int main() {
  float *out;
  cudaMalloc(&out, 4096);
  images<1><<<2, 32>>>(0, 0, out);
  images<2><<<2, 32>>>(0, 0, out);
  heap<<<1, 32>>>((int **)out);
}
// CHECK-DAG: uncounted.cu:6:{{[0-9]+}}: note: texture fetches have a unit of their own and are not counted: lines 6, 7
// CHECK-DAG: uncounted.cu:8:{{[0-9]+}}: note: accesses to surfaces have a unit of their own and are not counted: line 8
// CHECK-DAG: uncounted.cu:12:{{[0-9]+}}: note: what malloc and free of device code do with their memory is not counted: line 12
// CHECK-NOT: not counted
// CHECK: images<1>
// CHECK-NOT: unknown
// CHECK: 7:{{[0-9]+}} out[threadIdx.x] store 32 2 8 8 2 1x exact
// CHECK-NOT: unknown
// CHECK-NOT: races: not known
// CHECK: images<2>
