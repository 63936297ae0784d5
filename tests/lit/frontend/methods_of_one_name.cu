// An error in a method of a host class says nothing of other classes' methods of that name; of one that it may be, everything.
// RUN: not %lint --fail-on=never %s 2>&1 | FileCheck %s
#include "no/such/header.h"

struct Array {
  bool load(missing::Stream *stream) { return stream->read(this); }
};
template <class T> struct Block {
  T *from;
  __device__ void load(T (&to)[2]) {
    to[0] = from[threadIdx.x];
    to[1] = from[threadIdx.x + 32];
  }
};
struct Stored {
  __device__ int load(missing::Index) const { return 1; }
};

// CHECK-LABEL: {{^}}through_others<float>
// CHECK: s[threadIdx.x] {{ *}}store 32 {{ *}}1 {{.*}} assumed (1)
template <class T> __global__ void through_others(T *in, T *out) {
  __shared__ T s[64];
  T both[2];
  Block<T>{in}.load(both);
  s[threadIdx.x] = both[0];
  s[threadIdx.x + 32] = both[1];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 33];
}
void launch(float *in, float *out) { through_others<<<1, 32>>>(in, out); }
