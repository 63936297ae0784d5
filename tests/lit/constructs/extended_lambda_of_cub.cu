// Lambdas of nvcc's --extended-lambda as CUB takes them: they count for CUB's kernels, at their own lines.
// REQUIRES: cub
// RUN: not %lint-cub %s -- --extended-lambda 2>&1 | FileCheck %s
#include <cub/cub.cuh>
#include <thrust/iterator/transform_iterator.h>

void strided(float *data, int n) {
  cub::DeviceFor::Bulk(n, [data] __device__(int i) { data[32 * i] *= 2; });
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: uncoalesced load and store of data[32 * i] move 32 sectors instead of 4
}

void sum(float *in, float *out, int n, float factor, void *temporary, size_t bytes) {
  auto scaled = thrust::make_transform_iterator(in, [factor] __device__(float x) { return x * factor; });
  cub::DeviceReduce::Sum(temporary, bytes, scaled, out, n);
}
// CHECK: DeviceReduceKernel
// CHECK-NOT: error:
