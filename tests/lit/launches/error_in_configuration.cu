// One part of a configuration rests on an error; the others are known all the same.
// RUN: not %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>
constexpr type_of_no_header most = 4096;
template <int N> __global__ void scale(int *p) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x * N] = tile[threadIdx.x];
}
// CHECK: launch of scale<4> is not known entirely; assumed dynamic={{[0-9]+}}: depends on code that does not compile here
// CHECK: {{^}}scale<4>  grid=(3) block=(128)
template <int N> void run(int *p) { scale<N><<<3, N * 32, most - 1024>>>(p); }
int main() {
  int *p;
  cudaMalloc(&p, 4096);
  run<4>(p);
}
