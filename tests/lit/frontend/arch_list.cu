// CUB and Thrust have the architectures in the name of their namespace: so it is in the names of kernels that nvcc gives them, by which recordings are matched.
// REQUIRES: cub
// RUN: %lint-cub --format=json --arch=sm_90 --fail-on=never %s | FileCheck %s
// RUN: %lint-cub --format=json --arch=sm_80 --fail-on=never %s | FileCheck %s --check-prefix=OLDER
#include <thrust/device_ptr.h>

// CHECK: _Z5firstN6thrust{{[0-9]+}}THRUST_{{[0-9]+}}_SM_900_NS10device_ptrIiEE
// OLDER: _Z5firstN6thrust{{[0-9]+}}THRUST_{{[0-9]+}}_SM_800_NS10device_ptrIiEE
__global__ void first(thrust::device_ptr<int> values) { values.get()[threadIdx.x] = 1; }
