// What threads write with strong stores, or take over by them, is ordered by nothing that is followed: neither proof nor witness rests on it.
// RUN: %races %s -- --cuda-path=none | FileCheck --match-full-lines %s
__device__ void store(int *to, int value) { asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "r"(value) : "memory"); }
__device__ void release(int *to, int value) { asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "r"(value) : "memory"); }
__device__ int acquire(int *from) {
  int value;
  asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(value) : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
  return value;
}

// Either of two stores is the last one: there may be no barrier.
// smem-lint: launch grid=4 block=64
// CHECK:last_of_two grid (4,1,1) block (64,1,1): unknown {{.*}}
__global__ void last_of_two(float *o) {
  __shared__ float s[64];
  __shared__ int f;
  if (threadIdx.x % 32 == 0)
    store(&f, 1 - threadIdx.x / 32);
  __syncthreads();
  s[threadIdx.x] = 1;
  if (f == 0)
    __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];
}

// What is written before the flag is read after it.
// smem-lint: launch grid=4 block=64
// CHECK:handed_over grid (4,1,1) block (64,1,1): unknown {{.*}}
__global__ void handed_over(float *o, const float *a) {
  __shared__ float s[1];
  __shared__ int f;
  if (threadIdx.x == 0)
    f = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    s[0] = a[0];
    release(&f, 1);
  }
  if (threadIdx.x == 32) {
    while (acquire(&f) == 0) {
    }
    o[0] = s[0];
  }
}
