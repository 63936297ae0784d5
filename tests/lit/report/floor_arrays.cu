// Memory of different allocations adds up in a floor; what may be one array is one.
// RUN: %lint-short %s --table --checks='-*' 2>&1 | FileCheck %s
#include <cuda_runtime.h>

// 256 MiB of each array, of which L2's 60 MiB may be there before, and may stay there afterwards.
constexpr int kBlocks = 262144, kCount = kBlocks * 256;

template <int> __global__ void sum(float *c, const float *a, const float *b) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  c[i] = a[i] + b[i];
}
// A sum of two arrays with one that is read twice, or of which nothing is known, is that of one.
void of_a_library(float *c, const float *a, const float *b) { sum<9><<<kBlocks, 256>>>(c, a, b); }

int main() {
  float *a, *b, *c, *both;
  cudaMalloc(&a, kCount * sizeof(float));
  cudaMalloc(&b, kCount * sizeof(float));
  cudaMallocManaged(&c, kCount * sizeof(float));
  cudaMallocAsync(&both, 2ull * kCount * sizeof(float), 0);

  sum<1><<<kBlocks, 256>>>(c, a, b); // 2 x 256 - 60 MiB are read, 256 - 60 written
  // CHECK: {{^}}sum<1> 
  // CHECK: floor: 138 us on an H200 (DRAM)
  sum<2><<<kBlocks, 256>>>(c, a, a); // one pointer, twice
  // CHECK: {{^}}sum<2> 
  // CHECK: floor: 83.6 us on an H200 (DRAM)
  sum<3><<<kBlocks, 256>>>(c, both, both + kCount); // two parts of one allocation
  // CHECK: {{^}}sum<3> 
  // CHECK: floor: 138 us on an H200 (DRAM)
  sum<4><<<kBlocks, 256>>>(c, both, both + 1); // which overlap
  // CHECK: {{^}}sum<4> 
  // CHECK: floor: 83.6 us on an H200 (DRAM)
  sum<5><<<kBlocks, 256>>>(a, a, b); // in place: what is read there may be what was written
  // CHECK: {{^}}sum<5> 
  // CHECK: floor: 83.6 us on an H200 (DRAM)
  for (int i = 0; i < 4; ++i) {
    sum<6><<<kBlocks, 256>>>(c, a, b);
    float *last = c;
    c = a;
    a = last;
  }
  // CHECK: {{^}}sum<6>
  // CHECK: floor: 138 us on an H200 (DRAM)
  // CHECK: {{^}}sum<9>
  // CHECK: floor: 24.0 us on an H200 (L1), assumed
}
