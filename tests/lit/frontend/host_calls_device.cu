// A host function that calls a device function: nvcc's device pass (-ptx, -cubin) takes no notice of it, and a file with it is not analysed in part
// only. A device function that calls a host function is an error of the kernel.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not='in part only:' %s
// RUN: not %lint --fail-on=never %s -- -DREVERSE 2>&1 | FileCheck --check-prefix=REVERSE %s
__device__ int device_only(int x) { return x + 1; }
// CHECK-DAG: :[[#@LINE+3]]:{{.*}} warning: host function 'layout' is followed in part only: no matching function for call to '__trap'
static int layout(int t) {
  if (t < 0)
    __trap();
  return t;
}
// CHECK-DAG: :[[#@LINE+1]]:{{.*}} warning: host function 'calls' is followed in part only: no matching function for call to 'device_only'
int calls(int t) { return device_only(t); }
#ifdef REVERSE
// REVERSE-DAG: :[[#@LINE+1]]:{{.*}} error: host function 'both' is followed in part only: use of undeclared identifier 'nowhere'
int both(int t) { return device_only(t) + nowhere(t); }
int host_only(int x) { return x; }
// REVERSE-DAG: :[[#@LINE+1]]:{{.*}} error:
__global__ void reversed(int *p) { p[threadIdx.x] = host_only(1); }
#endif
// CHECK: in 1 file, 1 kernel,
__global__ void k(int *p) { p[threadIdx.x] = 1; }
