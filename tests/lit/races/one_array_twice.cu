// Pointers are taken for arrays of their own, which says nothing of two that lead into one.
// RUN: %lint --fail-on=never --checks='-*,gmem-race' --format=json %s | %python -c 'import json, sys; [print(l["kernel"], l["global_races"]["verdict"], l["global_races"]["reason"]) for l in json.load(sys.stdin)["launches"]]' | FileCheck %s
#include <cuda_runtime.h>

__global__ void exchange(const float *from, float *to) { to[threadIdx.x] = from[threadIdx.x ^ 33]; }
__global__ void copy(const float *from, float *to) { to[threadIdx.x] = from[threadIdx.x ^ 33]; }

int main() {
  float *one, *other;
  cudaMalloc(&one, 4096);
  cudaMalloc(&other, 4096);
  exchange<<<1, 256>>>(one, one + 128);
  copy<<<1, 256>>>(one, other);
}
// CHECK: exchange unknown 'from' and 'to' lead into one array, and are not compared with each other
// CHECK: copy free None
