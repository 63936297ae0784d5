// Functions whose bodies are in other files may wait for other threads, and touch what they can name: dynamic shared memory, and variables that are declared for them. Mathematics and printf() do neither.
// RUN: %races %s -- -rdc=true | FileCheck --match-full-lines --strict-whitespace %s

extern __device__ void wait_for_all();
extern __device__ int number_of(int thread);
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ float sinf(float);

// It may be the barrier that is missing here.
// smem-lint: launch grid=4 block=256
__global__ void behind(float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  wait_for_all();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
// CHECK:behind grid (4,1,1) block (256,1,1): unknown (between warps unknown, within a warp unknown): call of 'wait_for_all()', whose body is not in this file is not followed

// It may write what this kernel reads.
// smem-lint: launch grid=4 block=256 dynamic=1024
__global__ void dynamic(float *out) {
  extern __shared__ float d[];
  d[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = d[threadIdx.x] + number_of(threadIdx.x);
}
// CHECK:dynamic grid (4,1,1) block (256,1,1): unknown (between warps unknown, within a warp unknown): call of 'number_of(int)', whose body is not in this file is not followed

// smem-lint: launch grid=4 block=256
__global__ void followed(float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = sinf(threadIdx.x);
  if (s[threadIdx.x] > 2)
    printf("%f", s[threadIdx.x]);
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK:followed grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block
