// Two calls of one function that become one: the access counts where one of the two was written, not in the header or at the call around both.
// RUN: %lint --fail-on=never --launch "block=(64) grid=(4) n=2" %s | FileCheck %s

__device__ void in_function(int *sums, int *out, int n) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x <= n) {
    atomicOr(&sums[g], threadIdx.x);
  } else {
    atomicOr(&sums[g], threadIdx.x); // RED.E.OR, on this line
    // CHECK-DAG: [[#@LINE-1]]:5  atomicOr(&sums[g], threadIdx.x) {{ *}}atomic 32 {{.*}} assumed
  }
  out[g] = n;
  // CHECK-DAG: [[#@LINE-1]]:10  out[g] {{ *}}store 32 {{.*}} exact
}

__global__ void calls(int *sums, int *out, int n) {
  in_function(sums, out, n);
}

__global__ void itself(int *sums, int *out, int n) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x < n) {
    atomicMax(&sums[g], n);
  } else {
    atomicMax(&sums[g], n);
  }
  // CHECK-DAG: [[#@LINE-4]]:5  atomicMax(&sums[g], n) {{ *}}atomic 32 {{.*}} assumed
  out[g] = n;
}

// Only one way out has the call: nothing becomes one.
__global__ void alone(int *sums, int *out, int n) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x <= n)
    atomicAnd(&sums[g], threadIdx.x);
  // CHECK-DAG: [[#@LINE-1]]:5  atomicAnd(&sums[g], threadIdx.x) {{ *}}atomic 32 {{.*}} exact
  out[g] = n;
}
// CHECK-NOT: device_functions.h
