// Instances of a template whose host code is too long to be followed: those behind the first ones are followed for fewer steps each, so that a file of many
// takes no longer than one of a few. An iteration of this loop takes 165 steps: the first instance (of those tried, the last) may take 400,000.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cuda_runtime.h>

#define TEN(x) x + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10

template <int I> __global__ void early(float *out) { out[threadIdx.x] = I; }
template <int I> __global__ void late(float *out) { out[threadIdx.x] = I; }

template <int I> void run(float *out, long sum) {
  early<I><<<1, 32>>>(out);
  for (int i = 0; i < 1000; ++i) {
    early<I><<<1, 32>>>(out);
    sum = TEN(TEN(TEN(TEN(sum))));
  }
  late<I><<<1, 96>>>(out + sum);
  for (int i = 0; i < 4000; ++i) {
    early<I><<<1, 32>>>(out);
    sum = TEN(TEN(TEN(TEN(sum))));
  }
}

template void run<1>(float *, long);
template void run<2>(float *, long);
template void run<3>(float *, long);
template void run<4>(float *, long);
template void run<5>(float *, long);

// CHECK: {{^}}early<1>  grid=(1) block=(32)
// CHECK: {{^}}early<5>  grid=(1) block=(32)
// CHECK: {{^}}late<1>  grid=(64) block=(256)
// CHECK: {{^}}late<4>  grid=(1) block=(96)
// CHECK: {{^}}late<5>  grid=(1) block=(96)
