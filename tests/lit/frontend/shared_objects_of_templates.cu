// Shared variables of a class with a constructor, in a template: whatever its arguments are, Clang refuses them and nvcc leaves them uninitialised.
// RUN: %lint --fail-on=never %s | FileCheck %s
// RUN: %lint --fail-on=never --launch 'shared_objects<4>:' %s | FileCheck %s --check-prefix=NAMED

struct Sum {
  float value;
  int count;
  __host__ __device__ Sum() : value(0), count(0) {}
};

template <int N> __global__ void shared_objects(const float *in, float *out) {
  __shared__ Sum sums[32 * N];
  __shared__ Sum all;
  sums[threadIdx.x].value = in[threadIdx.x];
  if (threadIdx.x == 0)
    all.count = N;
  __syncthreads();
  out[threadIdx.x] = sums[31 - threadIdx.x].value + all.count;
}
// CHECK: shared_objects<
// CHECK: sums[threadIdx.x].value {{.*}}store 32{{.*}}assumed
// CHECK: all.count {{.*}}store 32{{.*}}assumed
// NAMED: shared_objects<4>
// NAMED: sums[threadIdx.x].value {{.*}}store 32{{.*}}assumed
