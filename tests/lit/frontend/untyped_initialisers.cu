// An initialiser with an error has no type in a template, nor in what is instantiated of it: what is not known of it is not known, and the kernel is analysed.
// RUN: not %lint %s 2>&1 | FileCheck %s
// CHECK: [[#@LINE+11]]:{{[0-9]+}}: warning: templates 'launch' and 1 more have an error, {{.*}}: use of undeclared identifier 'blocks_for'
// CHECK: 8:{{[0-9]+}} {{ *}}s[threadIdx.x] {{ *}}store 32 {{.*}} assumed
#include "a_header_that_is_nowhere.h"
template <int N, class T> __global__ void kernel(T, float *out) {
  __shared__ float s[32];
  s[threadIdx.x] = N;
  __syncthreads();
  out[threadIdx.x] = s[N];
}
template <int N> void launch(float *out, int size) {
  int number;
  dim3 grid(blocks_for(size));
  kernel<N><<<grid, 32>>>(number, out);
}
template <int N> void launch_counted(float *out, int size) {
  int number, blocks(blocks_for(size));
  for (int i(blocks_for(size)); i < 2; ++i)
    kernel<N><<<blocks, 32>>>(number, out);
}
void run(float *out) {
  launch<5>(out, 1);
  launch_counted<6>(out, 1);
}
