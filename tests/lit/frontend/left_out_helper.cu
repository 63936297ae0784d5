// What is left out for an error is not said to be in another file.
// RUN: not %lint %s 2>&1 | FileCheck %s
// CHECK-DAG: error: device function 'helper' is left out of the kernels that call it: use of undeclared identifier 'nowhere'
// CHECK-DAG: unknown: call of 'helper(int)', which is left out for an error
// CHECK-DAG: unknown: call of 'elsewhere(int)', whose body is not in this file
__device__ int helper(int i) { return nowhere + i; }
__device__ int elsewhere(int i);
__global__ void k(float *p) { p[helper(threadIdx.x)] = 1; }
__global__ void l(float *p) { p[elsewhere(threadIdx.x)] = 1; }
void run(float *p) {
  k<<<1, 32>>>(p);
  l<<<1, 32>>>(p);
}
