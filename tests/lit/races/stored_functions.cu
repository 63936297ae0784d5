// A variable that holds a function may have been written by a kernel that is not looked at.
// RUN: %lint --checks='-*,smem-race,smem-redundant-barrier' --kernel=run %s | FileCheck %s
// RUN: %races %s | FileCheck --check-prefix=BOTH %s

typedef void (*Work)(float *);
__device__ void own(float *s) { s[threadIdx.x] += 1; }
__device__ void next(float *s) { s[(threadIdx.x + 1) % 256] += 1; }
__device__ Work work = own;
// smem-lint: launch grid=1 block=1
__global__ void choose() { work = next; }
// smem-lint: launch grid=1 block=256
__global__ void run(float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  work(s);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-NOT: smem-redundant-barrier
// CHECK: races: not known
// BOTH: run grid (1,1,1) block (256,1,1): unknown
