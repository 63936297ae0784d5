// A kernel that calls a function without a body: one that is left out for an error, which nvcc inlines, and one of another file, which may share a header.
// RUN: split-file %s %t
// RUN: not %lint --fail-on=never %t/left_out.cu 2>&1 | FileCheck --check-prefix=LEFT %s
// RUN: %lint --fail-on=never %t/elsewhere.cu 2>&1 | FileCheck --check-prefix=ELSE %s

// LEFT: error: device function 'absorb' is left out of the kernels that call it
// LEFT-LABEL: {{^}}left_out
// LEFT: state[lane] {{ *}}store 32 {{.*}} assumed (1)
// LEFT: out[threadIdx.x] {{ *}}store 32 {{.*}} assumed (1)
// LEFT: (1) assumed: 'absorb(unsigned int*)', which is left out, accesses nothing on this line, and nvcc makes nothing else of this access for it [assumed-missing-body]
// LEFT-LABEL: {{^}}alone
// LEFT: state[lane] {{ *}}store 32 {{.*}} exact
// LEFT: out[threadIdx.x] {{ *}}store 32 {{.*}} exact

// ELSE-LABEL: {{^}}elsewhere
// ELSE: state[lane] {{ *}}store 32 {{.*}} assumed (1)
// ELSE: out[threadIdx.x] {{ *}}store 32 {{.*}} exact
// ELSE: (1) assumed: 'absorb(unsigned int*)', whose body is not in this file, accesses nothing on this line [assumed-missing-body]

// A kernel of a header is as much of another file's as the header's functions are.
// ELSE-LABEL: {{^}}of_a_header
// ELSE: state[lane] {{ *}}store 32 {{.*}} assumed
// ELSE: out[threadIdx.x] {{ *}}store 32 {{.*}} assumed

//--- kernel.cuh
#include "common.cuh"
__device__ void absorb(unsigned *state);
__global__ void of_a_header(unsigned *out) {
  __shared__ unsigned state[32];
  fill(state, threadIdx.x);
  absorb(state);
  out[threadIdx.x] = state[3];
}

//--- common.cuh
__device__ __forceinline__ void fill(unsigned *state, unsigned lane) {
  state[lane] = lane;
}

//--- left_out.cu
#include "common.cuh"
__device__ void absorb(unsigned *state) {
  fill(state, 31 - threadIdx.x);
  undeclared(state);
}
__global__ void left_out(unsigned *out) {
  __shared__ unsigned state[32];
  fill(state, threadIdx.x);
  absorb(state);
  out[threadIdx.x] = state[3];
}
__global__ void alone(unsigned *out) {
  __shared__ unsigned state[32];
  fill(state, threadIdx.x);
  out[threadIdx.x] = state[3];
}
int main() {
  left_out<<<1, 32>>>(nullptr);
  alone<<<1, 32>>>(nullptr);
}

//--- elsewhere.cu
#include "kernel.cuh"
__global__ void elsewhere(unsigned *out) {
  __shared__ unsigned state[32];
  fill(state, threadIdx.x);
  absorb(state);
  out[threadIdx.x] = state[3];
}
int main() {
  elsewhere<<<1, 32>>>(nullptr);
  of_a_header<<<1, 32>>>(nullptr);
}
