// Behind a loop that waits for another thread (it ends by what an atomic returns or a volatile load finds) ptxas has no lane wait for the others: YIELD lets go those that stand at a BSYNC, also
// lanes that have not taken the loop. They meet at the next barrier of the block or the whole warp. Of 20 kernels on an H200 (validate/everyday/waits.cu) 13 had up to 32 requests there for one.
// RUN: %lint --checks=-* %s | FileCheck %s
#include <cuda_runtime.h>

__device__ void add(double *to, double value) {
  auto *bits = reinterpret_cast<unsigned long long *>(to);
  unsigned long long old = *bits, expected;
  do {
    expected = old;
    old = atomicCAS(bits, expected, __double_as_longlong(value + __longlong_as_double(expected)));
  } while (expected != old);
}

// smem-lint: launch block=(64) grid=(1)
__global__ void behind(double *sum, float *out) {
  __shared__ float s[64];
  out[threadIdx.x] = 0;
  add(sum, 1);
  s[threadIdx.x] = 1;
  out[threadIdx.x + 64] = 1;
  __syncthreads();
  out[threadIdx.x + 128] = s[threadIdx.x ^ 1];
}
// CHECK-LABEL: {{^}}behind
// CHECK-DAG: {{^ *}}[[#@LINE-8]]:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}unknown
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}unknown
// CHECK-DAG: {{^ *}}[[#@LINE-6]]:{{.*}}load 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-7]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void until_the_warp_meets(double *sum, float *out) {
  add(sum, 1);
  out[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x + 64] = 1;
}
// CHECK-LABEL: {{^}}until_the_warp_meets
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}store 32 {{.*}}unknown
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}exact

// One lane's request costs what it costs, whenever it comes; the others were let go.
// smem-lint: launch block=(32) grid=(1)
__global__ void one_lane(int *lock, float *out) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0)
      ;
    out[100] = 1;
  }
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}one_lane
// CHECK-DAG: {{^ *}}[[#@LINE-5]]:{{.*}}store 32 {{.*}}exact
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}store 32 {{.*}}unknown

// A plain load may find something else in each lane, too, and lanes wait for one another.
// smem-lint: launch block=(32) grid=(1)
__global__ void plain(const int *next, float *out) {
  int i = threadIdx.x;
  while (i > 3)
    i = next[i];
  out[threadIdx.x] = i;
}
// CHECK-LABEL: {{^}}plain
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void volatile_loads(const volatile int *next, float *out) {
  int i = threadIdx.x;
  while (i > 3)
    i = next[i];
  out[threadIdx.x] = i;
}
// CHECK-LABEL: {{^}}volatile_loads
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}unknown

// A counted loop waits for nothing, whatever atomics it has.
// smem-lint: launch block=(32) grid=(1)
__global__ void counted(int *counts, float *out) {
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += atomicAdd(&counts[i], 1);
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}counted
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}exact

// smem-lint: launch block=(32) grid=(1)
__global__ void inline_ptx(int *flags, float *out) {
  int flag;
  do
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(flag) : "l"(flags + threadIdx.x) : "memory");
  while (flag == 0);
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}inline_ptx
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}unknown

// A lock that leaves its loop by a flag: the branch that sets it is decided by the atomic.
// smem-lint: launch block=(32) grid=(1) n=9
__global__ void by_a_flag(int *lock, float *out, int n) {
  bool done = false;
  for (int k = 0; !done; ++k)
    if (atomicCAS(lock, 0, 1) == 0) {
      out[200] += k;
      atomicExch(lock, 0);
      if (k < n)
        done = true;
    }
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}by_a_flag 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}unknown

// To ptxas it is no matter whether inline PTX is `volatile`.
// smem-lint: launch block=(32) grid=(1)
__global__ void ptx_that_may_be_moved(int *flags, float *out) {
  int flag;
  do
    asm("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(flag) : "l"(flags + threadIdx.x) : "memory");
  while (flag == 0);
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}ptx_that_may_be_moved 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}unknown

// All lanes load one word, and leave together.
// smem-lint: launch block=(32) grid=(1)
__global__ void one_flag(const volatile int *flag, float *out) {
  while (*flag == 0)
    ;
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}one_flag 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}exact

// The leader of those that come together is one of each group.
// smem-lint: launch block=(32) grid=(1)
__global__ void leader_of_those(double *sum, int *count, float *out) {
  add(sum, 1);
  const unsigned together = __activemask();
  if (threadIdx.x % 32 == __ffs(together) - 1)
    atomicAdd(count, __popc(together));
  out[0] = 1;
}
// CHECK-LABEL: {{^}}leader_of_those 
// CHECK-DAG: {{^ *}}[[#@LINE-4]]:{{.*}}atomic 32 {{.*}}unknown

// One lane's lock, and a barrier of the block.
// smem-lint: launch block=(64) grid=(1)
__global__ void locked_by_one(int *lock, float *out) {
  if (threadIdx.x == 0)
    while (atomicCAS(lock, 0, 1) != 0)
      ;
  __syncthreads();
  out[threadIdx.x] = 1;
}
// CHECK-LABEL: {{^}}locked_by_one 
// CHECK-DAG: {{^ *}}[[#@LINE-3]]:{{.*}}store 32 {{.*}}exact
