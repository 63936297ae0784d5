// memcpy() of what is aligned: nvcc copies bytes, of which ptxas makes words in part (Pair), or a loop whose bytes have no line of their own (Record). nvcc 13.0 for sm_90, machine code read.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
#include <cstring>
struct __align__(4) Record { char bytes[20]; };
struct __align__(8) Pair { float x, y; };
// CHECK-LABEL: {{^}}records
// CHECK: memcpy(out{{.*}} load 8 {{.*}} assumed
// CHECK: memcpy(out{{.*}} store 8 {{.*}} assumed
__global__ void records(const Record *__restrict__ in, Record *__restrict__ out) {
  __shared__ Record tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  memcpy(out + threadIdx.x, tile + (threadIdx.x ^ 1), sizeof(Record));
}
// CHECK-LABEL: {{^}}pairs
// CHECK: tile[threadIdx.x] store 64 {{.*}} exact
// CHECK: memcpy(out{{.*}} load 64 {{.*}} assumed (1)
// CHECK: memcpy(out{{.*}} store 8 {{.*}} assumed (1)
// CHECK: (1) assumed: {{.*}} [assumed-structure-copy]
__global__ void pairs(const Pair *__restrict__ in, Pair *__restrict__ out) {
  __shared__ Pair tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  memcpy(out + threadIdx.x, tile + (threadIdx.x ^ 1), sizeof(Pair));
}
int main() {
  Record *a, *b;
  Pair *c, *d;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&c, 4096);
  cudaMalloc(&d, 4096);
  records<<<1, 32>>>(a, b);
  pairs<<<1, 32>>>(c, d);
}
