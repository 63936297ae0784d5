// Calls through pointers to functions: one after the other of those that may be meant is followed, under the condition that it is this one.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %races --global %s -- -rdc=true | FileCheck --check-prefix=RDC %s

typedef void (*Work)(float *, int);

__device__ void twice(float *a, int i) { a[i] *= 2; }
__device__ void shift(float *a, int i) { a[i] = a[i + 1]; }
__device__ Work works[2] = {twice, shift};

// One of two, neither of which touches another thread's element.
__device__ void half(float *a, int i) { a[i] /= 2; }
// smem-lint: launch grid=4 block=256
__global__ void chosen(float *a, int way) {
  Work work = way ? twice : half;
  work(a, blockIdx.x * blockDim.x + threadIdx.x);
}
// CHECK:chosen grid (4,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)

// Each lane knows which one it calls.
// smem-lint: launch grid=1 block=64
__global__ void by_thread(float *a) {
  Work work = threadIdx.x < 32 ? twice : shift;
  work(a, threadIdx.x);
}
// CHECK:by_thread grid (1,1,1) block (64,1,1): race (between warps free, within a warp race, between blocks free)
// CHECK:  within a warp: line [[#@LINE-19]] read by (32,0,0), line [[#@LINE-19]] write by (33,0,0) of block (0,0,0), byte 132 of a, interval 0

// smem-lint: launch grid=1 block=64
__global__ void by_thread_apart(float *a) {
  Work work = threadIdx.x < 32 ? twice : half;
  work(a, threadIdx.x);
}
// CHECK:by_thread_apart grid (1,1,1) block (64,1,1): free (between warps free, within a warp free, between blocks free)

// Any function of the type may be passed, one that races among them.
// smem-lint: launch grid=4 block=256
__global__ void passed(float *a, Work work) { work(a, blockIdx.x * blockDim.x + threadIdx.x); }
// CHECK:passed grid (4,1,1) block (256,1,1): unknown ({{.*}}): {{.*}}result of 'function_of_pointer' (line [[#@LINE-1]]){{.*}}
// RDC: passed grid (4,1,1) block (256,1,1): unknown ({{.*}}): call through a function pointer is not followed

// Whatever function is meant, it only computes. One that no file has here may be meant where device code is linked.
typedef float (*Value)(float);
__device__ float square(float x) { return x * x; }
__device__ float cube(float x) { return x * x * x; }
__device__ Value values[2] = {square, cube};
// smem-lint: launch grid=4 block=256
__global__ void mapped(float *a, Value value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = value(a[i]);
}
// CHECK:mapped grid (4,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)
// RDC: mapped grid (4,1,1) block (256,1,1): unknown ({{.*}}): call through a function pointer is not followed

// smem-lint: launch grid=4 block=256
__global__ void from_a_table(float *a, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = values[which](a[i]);
}
// CHECK:from_a_table grid (4,1,1) block (256,1,1): free (between warps free, within a warp free, between blocks free)
