// A function that is not inlined: what it loads from a parameter cicc loads in the caller if the function writes nothing (both rows are of the call's line then), and that two parameters
// are neighbours it does not know. Nothing is said against an index that the function computes. nvcc 13.0 for sm_90, machine code read.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s
struct Ends {
  float first, last;
};
__device__ __noinline__ Ends ends_of(const float *row) {
  return {row[0], row[1]};
  // CHECK-DAG: [[#@LINE-1]]:{{.*}} load 64 {{.*}} assumed (1)
}
__device__ __noinline__ void exchange(double &a, double &b) {
  const double kept = a;
  // CHECK-DAG: [[#@LINE-1]]:{{.*}} load 128 {{.*}} assumed (2)
  a = b;
  b = kept;
}
__device__ __noinline__ float at(const float *row, int i) {
  return row[i];
  // CHECK-DAG: [[#@LINE-1]]:{{.*}} row[i] load 32 {{.*}} exact
}
// CHECK: (1) assumed: nvcc recognises these accesses as adjacent, and merges them [assumed-adjacent-access]
__global__ void calls(const float *in, float *out, double *wide) {
  __shared__ float rows[64];
  __shared__ double pairs[128];
  const int t = threadIdx.x;
  rows[t] = in[t];
  rows[t + 32] = in[t + 32];
  pairs[t] = t;
  __syncthreads();
  const Ends ends = ends_of(rows + t / 2 * 2);
  exchange(pairs[2 * t], pairs[2 * t + 1]);
  __syncthreads();
  out[t] = ends.first + ends.last + at(rows, 63 - t);
  wide[t] = pairs[t];
}
int main() {
  float *in, *out;
  double *wide;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&wide, 4096);
  calls<<<1, 32>>>(in, out, wide);
}
