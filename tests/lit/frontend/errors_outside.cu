// An error outside of functions leaves those kernels alone that it cannot change: those before it, as far as they are no templates and call nothing
// behind it; and all of them where it is in a variable, as what uses that has an error itself.
// What host code says of a launch stays as it is: there is nothing to state.
// RUN: not %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not='block=<value>' %s
// RUN: not %lint --fail-on=never %s -- -DVARIABLE 2>&1 | FileCheck --check-prefix=VARIABLE --implicit-check-not='of the kernel' --implicit-check-not='block=<value>' %s

__device__ int later(int i);
// CHECK: {{^}}before  grid=(2)
// CHECK-NEXT: launch:
// CHECK-NOT: of the kernel
// CHECK: {{^}}calls_later  grid=(2)
__global__ void before(int *p) { p[threadIdx.x] = 1; }
// CHECK: assumed: the error in line [[#@LINE+10]] does not affect the kernel
__global__ void calls_later(int *p) { p[later(threadIdx.x)] = 1; }
// CHECK: {{^}}copy<int>  grid=(2)
// CHECK: assumed: the error in line [[#@LINE+7]] does not affect the kernel
template <class T> __global__ void copy(T *p) { p[threadIdx.x] = 1; }
#ifdef VARIABLE
// VARIABLE: error: {{.*}}nowhere
// VARIABLE: {{^}}behind  grid=(2)
int table = nowhere;
#else
struct Broken { nowhere member; };
#endif
__device__ int later(int i) { return i; }
// CHECK: {{^}}behind  grid=(2)
// CHECK: assumed: the error in line [[#@LINE-4]] does not affect the kernel
__global__ void behind(int *p) { p[threadIdx.x] = 1; }

void run(int *p) {
  before<<<2, 32>>>(p);
  calls_later<<<2, 32>>>(p);
  copy<int><<<2, 32>>>(p);
  behind<<<2, 32>>>(p);
}
