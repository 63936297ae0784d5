// Numbers that an atomic sum hands out: no two threads have the same, so that what they write there is no race.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s

// smem-lint: launch grid=4 block=256
__global__ void collected(int *o, const int *a, int n) {
  __shared__ int found[256], count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (a[threadIdx.x] > n)
    found[atomicAdd(&count, 1)] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < count)
    o[threadIdx.x] = found[threadIdx.x];
}
// CHECK:collected grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// Two elements for each number.
// smem-lint: launch grid=4 block=256
__global__ void pairs(int *o, const int *a) {
  __shared__ int found[512], count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int at = atomicAdd(&count, 2);
  found[at] = threadIdx.x;
  found[at] += 1;
}
// CHECK:pairs grid (4,1,1) block (256,1,1): free (between warps free, within a warp free) in every launch with this block

// The next element is another thread's.
// smem-lint: launch grid=4 block=256
__global__ void next_element(int *o, const int *a) {
  __shared__ int found[512], count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int at = atomicAdd(&count, 1);
  found[at] = threadIdx.x;
  found[at + 1] = threadIdx.x;
}
// CHECK:next_element grid (4,1,1) block (256,1,1): unknown ({{.*}}): {{.*}}

// All have the same number.
// smem-lint: launch grid=4 block=256
__global__ void no_step(int *o, const int *a) {
  __shared__ int found[512], count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  found[atomicAdd(&count, 0)] = threadIdx.x;
}
// CHECK:no_step grid (4,1,1) block (256,1,1): unknown ({{.*}}): {{.*}}

// Each lane counts elsewhere.
// smem-lint: launch grid=4 block=256
__global__ void several_counters(int *o, const int *a) {
  __shared__ int found[512], count[32];
  if (threadIdx.x < 32)
    count[threadIdx.x] = 0;
  __syncthreads();
  found[atomicAdd(&count[threadIdx.x % 32], 1)] = threadIdx.x;
}
// CHECK:several_counters grid (4,1,1) block (256,1,1): unknown ({{.*}}): {{.*}}

// The numbers of the first round come again in the second, where some threads still use the first.
// smem-lint: launch grid=4 block=256
__global__ void two_rounds(int *o, const int *a) {
  __shared__ int found[512], count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int first = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int second = atomicAdd(&count, 1);
  found[threadIdx.x < 100 ? first : second] = threadIdx.x;
}
// CHECK:two_rounds grid (4,1,1) block (256,1,1): unknown ({{.*}}): {{.*}}

// A warp counts twice, with nothing but __syncwarp() between: its numbers are no longer its own.
// smem-lint: launch grid=1 block=32
__global__ void reset_by_a_lane(int *o, const int *a) {
  __shared__ int found[512], count;
  count = 0;
  __syncwarp();
  int at = 0;
  if (threadIdx.x < 16)
    at = atomicAdd(&count, 1);
  __syncwarp();
  if (threadIdx.x == 0)
    count = 0;
  __syncwarp();
  if (threadIdx.x >= 16)
    at = atomicAdd(&count, 1);
  __syncthreads();
  found[at] = threadIdx.x;
}
// CHECK:reset_by_a_lane grid (1,1,1) block (32,1,1): unknown ({{.*}}): {{.*}}
// CHECK:  one value, within a warp: {{.*}}

// Two elements for a number where another has one: 1 and 2 meet at buf[2].
// smem-lint: launch grid=1 block=64
__global__ void two_factors(int *o) {
  __shared__ int buf[256], n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  int p = atomicAdd(&n, 1);
  buf[p] = threadIdx.x;
  buf[2 * p] = threadIdx.x + 7;
  __syncthreads();
  o[threadIdx.x] = buf[threadIdx.x];
}
// CHECK:two_factors grid (1,1,1) block (64,1,1): unknown ({{.*}}): {{.*}}

// Rows of two widths.
// smem-lint: launch grid=1 block=64
__global__ void two_widths(int *o) {
  __shared__ __align__(8) int buf[256];
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  int p = atomicAdd(&n, 1);
  buf[p] = threadIdx.x;
  ((int2 *)buf)[p] = make_int2(threadIdx.x, 1);
  __syncthreads();
  o[threadIdx.x] = buf[threadIdx.x];
}
// CHECK:two_widths grid (1,1,1) block (64,1,1): unknown ({{.*}}): {{.*}}

// The 257th number is the first again.
// smem-lint: launch grid=1 block=512
__global__ void narrowed(int *o) {
  __shared__ int buf[256], n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  unsigned char p = atomicAdd(&n, 1);
  buf[p] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = buf[threadIdx.x / 2];
}
// CHECK:narrowed grid (1,1,1) block (512,1,1): unknown ({{.*}}): {{.*}}

// So is every fourth product, and every fourth number of a large step.
// smem-lint: launch grid=1 block=64
__global__ void wrapped(int *o) {
  __shared__ int buf[64];
  __shared__ unsigned n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  unsigned q = atomicAdd(&n, 1u) * 0x40000000u;
  if (q < 64)
    buf[q] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = buf[threadIdx.x];
}
// CHECK:wrapped grid (1,1,1) block (64,1,1): unknown ({{.*}}): {{.*}}
// smem-lint: launch grid=1 block=64
__global__ void large_step(int *o) {
  __shared__ int buf[64];
  __shared__ unsigned n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  unsigned q = atomicAdd(&n, 0x40000000u);
  if (q < 64)
    buf[q] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = buf[threadIdx.x];
}
// CHECK:large_step grid (1,1,1) block (64,1,1): unknown ({{.*}}): {{.*}}

// Structures of 12 bytes, by an unsigned number and an offset.
struct Found { int a, b, c; };
// smem-lint: launch grid=1 block=64
__global__ void structures(int *o) {
  __shared__ Found buf[128];
  __shared__ unsigned n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  unsigned p = atomicAdd(&n, 1u) + 3;
  buf[p].b = threadIdx.x;
}
// CHECK:structures grid (1,1,1) block (64,1,1): free {{.*}}
