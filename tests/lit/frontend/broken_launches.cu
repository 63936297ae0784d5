// A kernel template that an error in its launch keeps from being instantiated is not analysed, and the run ends with 2: by the types of its
// parameters, in a header too, or in a host template.
// RUN: not %lint --fail-on=never %s > %t.out 2>&1; FileCheck %s < %t.out
// RUN: not %lint --fail-on=never %s -- -DIN_HEADER > %t.out 2>&1; FileCheck --check-prefix=HEADER %s < %t.out
// RUN: not %lint --fail-on=never %s -- -DIN_TEMPLATE > %t.out 2>&1; FileCheck --check-prefix=TEMPLATE %s < %t.out
#include <torch/extension.h>
__global__ void fine(float *p) { p[threadIdx.x] = 1; }

#if defined(IN_HEADER)
#include "Inputs/broken_launch.cuh"
// HEADER: broken_launch.cuh:5:36: error: kernel 'of_header' is not analysed: its launch at {{.*}}.cu:[[#@LINE+1]]:50 has an error
void run(float *p, LacksMember<float> members) { of_header<float><<<1, 32>>>(members, p); }
// HEADER: in 1 file, 1 kernel
#elif defined(IN_TEMPLATE)
struct Known {};
// TEMPLATE: :[[#@LINE+1]]:43: error: kernel 'of_template' is not analysed: its launch at {{.*}} has an error
template <int N, class T> __global__ void of_template(typename T::template missing<N> a, float *p) { p[threadIdx.x] = 1; }
template <class T> void launch(float *p) {
  if constexpr (sizeof(T) == 77)
    fine<<<1, 64>>>(p);
  else
    of_template<3, T><<<1, 32>>>({}, p);
}
template void launch<Known>(float *);
#else
struct Known {};
// CHECK: :[[#@LINE+2]]:36: error: kernel 'by_type' is not analysed: its launch at {{.*}}.cu:[[#@LINE+4]]:3 has an error
// CHECK-NOT: no plausible arguments
template <class T> __global__ void by_type(typename T::missing a, float *p) { p[threadIdx.x] = 1; }
void run(float *p) {
  by_type<Known><<<1, 32>>>(3, p);
  fine<<<1, 32>>>(p);
}
// CHECK: in 1 file, 1 kernel
#endif
