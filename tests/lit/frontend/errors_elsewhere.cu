// An error takes away what it is in and no more; the run ends with 2 all the same.
// RUN: not %lint --fail-on=never %s > %t.out 2>&1; FileCheck %s < %t.out
// RUN: not %lint --fail-on=never %s -- -DWRONG_KERNEL 2>&1 | FileCheck --check-prefix=KERNEL %s
// RUN: %lint --fail-on=never %s -- -DNO_HOST_ERROR 2>&1 | FileCheck --check-prefix=TEMPLATES %s

// What the error may have changed is assumed.
// CHECK-DAG: {{^}}good  grid=(4) block=(96)
// CHECK-DAG: assumed: the error in line [[#@LINE+7]] does not affect the launch
// KERNEL-DAG: {{^}}good  grid=(4) block=(96)
__global__ void good(int *p) { p[threadIdx.x] = 1; }

#ifndef NO_HOST_ERROR
// CHECK-DAG: :[[#@LINE+2]]:3: error: host function 'run' is followed in part only: use of undeclared identifier 'undeclared'
void run(int *p) {
  undeclared(p);
  good<<<4, 96>>>(p);
}
#endif

// Of templates that nothing uses nvcc does not look at names.
// TEMPLATES: :[[#@LINE+1]]:71: warning: template 'unused' has an error, and what instantiates it is left out: use of undeclared identifier 'nowhere'
template <class T> __host__ __device__ int unused(T *p) { return *p + nowhere; }
// TEMPLATES: 1 kernel
template <int N> __device__ void store(int *p, int v) { asm volatile("st.global.s32 [%0], %2;" ::"l"(p), "r"(v) : "memory"); }

#ifdef WRONG_KERNEL
// KERNEL-DAG: :[[#@LINE+1]]:{{.*}} error: kernel 'wrong' is not analysed: use of undeclared identifier 'nowhere'
__global__ void wrong(int *p) { p[threadIdx.x] = nowhere; }
// KERNEL-DAG: :[[#@LINE+1]]:{{.*}} error: device function 'helper' is left out of the kernels that call it: use of undeclared identifier 'nowhere'
__device__ int helper(int i) { return i + nowhere; }
__global__ void calls(int *p) { p[threadIdx.x] = helper(1); }
// KERNEL-DAG: :[[#@LINE+1]]:{{.*}} error: kernel 'broken' is not analysed: use of undeclared identifier 'nowhere'
template <class T> __global__ void broken(T *p) { p[threadIdx.x] = nowhere; }
template __global__ void broken(float *);
// KERNEL-DAG: :[[#@LINE+1]]:{{.*}} error: this kernel is not analysed: errors hide its declaration
DEFINED_ELSEWHERE(__global__ void lost(int *p) { p[0] = 1; })
#endif
