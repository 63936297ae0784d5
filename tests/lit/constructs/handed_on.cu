// Fields of a structure that one block alone needs: nvcc loads them there, with the lanes that need them. Machine code, CUDA 13.0, sm_90: of the three loads of a generator's state one is done by half of
// the lanes, whether all lanes go on with the state or some.
// RUN: %lint --fail-on=never %s | FileCheck %s
#include <cuda_runtime.h>

struct State {
  unsigned d, v[5];
  int kept, kept_too;
  float normal;
  double normal_too;
};

__device__ unsigned next(State &s) {
  const unsigned t = s.v[0] ^ (s.v[0] >> 2);
  s.v[0] = s.v[1];
  s.v[1] = s.v[2];
  s.v[2] = s.v[3];
  s.v[3] = s.v[4];
  s.v[4] = (s.v[4] ^ (s.v[4] << 4)) ^ (t ^ (t << 1));
  s.d += 362437;
  return s.v[4] + s.d;
}

// smem-lint: launch block=(128) grid=(4)
__global__ void in_two_blocks(State *states, float *out) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  State s = states[i]; // load 64 assumed
  if ((threadIdx.x + blockIdx.x) % 2 == 0)
    out[i] = next(s) * 2.3283064e-10f + 1.1641532e-10f;
  __syncthreads();
  if ((threadIdx.x + blockIdx.x) % 2 == 1)
    out[i] = next(s) * 2.3283064e-10f + 1.1641532e-10f;
}
// CHECK: in_two_blocks grid=
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{[0-9]+}} {{.*}}load 64 {{.*}}assumed

// smem-lint: launch block=(128) grid=(4)
__global__ void some_by_all(State *states, float *out) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  State s = states[i]; // load 64 assumed
  if ((threadIdx.x + blockIdx.x) % 2 == 0)
    next(s);
  __syncthreads();
  out[i] = next(s) * 2.3283064e-10f + 1.1641532e-10f;
}
// CHECK: some_by_all grid=
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{[0-9]+}} {{.*}}load 64 {{.*}}assumed
