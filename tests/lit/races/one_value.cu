// Two writes of one value are no race: which values are known to be one, and which are not.
// RUN: %races --global %s | FileCheck --match-full-lines --strict-whitespace %s
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace --check-prefix=SHARED %s

// One execution stands for all blocks, but each has loaded a number of its own.
// smem-lint: launch grid=4 block=128
__global__ void loaded_by_each_block(int *out, const int *in, int *other) {
  int v = in[blockIdx.x];
  if (threadIdx.x == 0)
    out[0] = v;
  if (v > 3)
    other[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// CHECK:loaded_by_each_block grid (4,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK-NEXT:  between blocks: line [[#@LINE-5]] write by (0,0,0) of block (0,0,0), line [[#@LINE-5]] write by (0,0,0) of block (1,0,0), byte 0 of out

// smem-lint: launch grid=4 block=128
__global__ void counted_by_each_block(int *out, const int *in, int *other) {
  int v = in[blockIdx.x];
  if (threadIdx.x == 0)
    out[0] = v + 1;
  for (int i = 0; i < v; ++i)
    other[blockIdx.x * blockDim.x + threadIdx.x] = i;
}
// CHECK:counted_by_each_block grid (4,1,1) block (128,1,1): race (between warps free, within a warp free, between blocks race)
// CHECK-NEXT:  between blocks: line [[#@LINE-5]] write by (0,0,0) of block (0,0,0), line [[#@LINE-5]] write by (0,0,0) of block (1,0,0), byte 0 of out

// What the kernel does not write is one number for all that load it from one place.
// smem-lint: launch grid=4 block=128
__global__ void loaded_from_one_place(float *out, const float *__restrict__ in, const int *__restrict__ counts) {
  out[blockIdx.x] = in[blockIdx.x] / counts[blockIdx.x];
}
// CHECK:loaded_from_one_place grid (4,1,1) block (128,1,1): free (between warps free, within a warp free, between blocks free)
// CHECK-NEXT:  one value, within a warp: line [[#@LINE-3]] write by (0,0,0), line [[#@LINE-3]] write by (1,0,0) of block (0,0,0), byte 0 of out, interval 0
// CHECK-NEXT:  one value, between warps: line [[#@LINE-4]] write by (0,0,0), line [[#@LINE-4]] write by (32,0,0) of block (0,0,0), byte 0 of out, interval 0

// smem-lint: launch grid=4 block=32
__global__ void one_of_all_blocks(int *__restrict__ out, const int *__restrict__ in) {
  if (threadIdx.x == 0)
    out[0] = in[3] + 1;
}
// CHECK:one_of_all_blocks grid (4,1,1) block (32,1,1): free (between warps free, within a warp free, between blocks free)
// CHECK-NEXT:  one value, between blocks: line [[#@LINE-3]] write by (0,0,0) of block (0,0,0), line [[#@LINE-3]] write by (0,0,0) of block (1,0,0), byte 0 of out

// Each block loads another one.
// smem-lint: launch grid=4 block=32
__global__ void one_of_each_block(int *__restrict__ out, const int *__restrict__ in) {
  if (threadIdx.x == 0)
    out[0] = in[blockIdx.x];
}
// CHECK:one_of_each_block grid (4,1,1) block (32,1,1): race (between warps free, within a warp free, between blocks race)

// smem-lint: launch grid=1 block=64
__global__ void one_of_each_warp(int *__restrict__ out, const int *__restrict__ in) {
  out[0] = in[threadIdx.x / 32];
}
// CHECK:one_of_each_warp grid (1,1,1) block (64,1,1): race (between warps race, within a warp race, between blocks free)

// smem-lint: launch grid=1 block=64
__global__ void two_places(int *__restrict__ out, const int *__restrict__ in) {
  if (threadIdx.x < 32)
    out[0] = in[0];
  else
    out[0] = in[1];
}
// CHECK:two_places grid (1,1,1) block (64,1,1): race (between warps race, within a warp free, between blocks free)
// CHECK-NEXT:  between warps: line [[#@LINE-5]] write by (0,0,0), line [[#@LINE-3]] write by (32,0,0) of block (0,0,0), byte 0 of out, interval 0
// CHECK-NEXT:  one value, within a warp: line [[#@LINE-6]] write by (0,0,0), line [[#@LINE-6]] write by (1,0,0) of block (0,0,0), byte 0 of out, interval 0

// A thread may read what another one has written before.
// smem-lint: launch grid=1 block=64
__global__ void written_meanwhile(int *__restrict__ out, int *__restrict__ in) {
  out[0] = in[0];
  if (threadIdx.x == 5)
    in[0] = 3;
}
// CHECK:written_meanwhile grid (1,1,1) block (64,1,1): race (between warps race, within a warp race, between blocks free)
// CHECK:  between warps: line [[#@LINE-5]] write by (0,0,0), line [[#@LINE-5]] write by (32,0,0) of block (0,0,0), byte 0 of out, interval 0

// Both pointers may lead to one array. The lanes of a warp load once.
// smem-lint: launch grid=1 block=64
__global__ void perhaps_written(int *out, const int *in) {
  out[0] = in[0];
}
// CHECK:perhaps_written grid (1,1,1) block (64,1,1): race (between warps race, within a warp free, between blocks free)

// Something else may change it.
// smem-lint: launch grid=1 block=64
__global__ void changes(int *__restrict__ out, const volatile int *__restrict__ in) {
  out[0] = in[0];
}
// CHECK:changes grid (1,1,1) block (64,1,1): race (between warps race, within a warp race, between blocks free)

// smem-lint: launch grid=4 block=128
__global__ void loaded_into_shared(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int first, sum;
  first = in[blockIdx.x];
  sum = first + in[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}
// SHARED:loaded_into_shared grid (4,1,1) block (128,1,1): race (between warps race, within a warp race)
// SHARED-NEXT:  within a warp: line [[#@LINE-6]] write by (1,0,0), line [[#@LINE-5]] read by (0,0,0) of block (0,0,0), byte 0 of first, interval 0
// SHARED:  one value, within a warp: line [[#@LINE-7]] write by (0,0,0), line [[#@LINE-7]] write by (1,0,0) of block (0,0,0), byte 0 of first, interval 0
// SHARED:  one value, between warps: line [[#@LINE-8]] write by (0,0,0), line [[#@LINE-8]] write by (32,0,0) of block (0,0,0), byte 0 of first, interval 0

// smem-lint: launch grid=4 block=128
__global__ void loaded_into_shared_alone(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int first;
  first = 3 * in[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}
// SHARED:loaded_into_shared_alone grid (4,1,1) block (128,1,1): free (between warps free, within a warp free) in every launch with this block
// SHARED-NEXT:  one value, within a warp: line [[#@LINE-5]] write by (0,0,0), line [[#@LINE-5]] write by (1,0,0) of block (0,0,0), byte 0 of first, interval 0
// SHARED-NEXT:  one value, between warps: line [[#@LINE-6]] write by (0,0,0), line [[#@LINE-6]] write by (32,0,0) of block (0,0,0), byte 0 of first, interval 0

// What was there before is ordered before all of these.
// smem-lint: launch grid=1 block=64
__global__ void after_another_value(int *out) {
  __shared__ int s[1];
  if (threadIdx.x == 0)
    s[0] = 1;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  s[0] = 2;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = s[0];
}
// SHARED:after_another_value grid (1,1,1) block (64,1,1): free (between warps free, within a warp free)
// SHARED-NEXT:  one value, {{.*}}: line [[#@LINE-5]] write by {{.*}}, line [[#@LINE-5]] write by {{.*}}
// SHARED-NEXT:  one value, {{.*}}: line [[#@LINE-6]] write by {{.*}}, line [[#@LINE-6]] write by {{.*}}

// It is not: only one warp has come to the barrier after it.
// smem-lint: launch grid=1 block=96
__global__ void beside_another_value(int *out) {
  __shared__ int s[1];
  if (threadIdx.x == 0)
    s[0] = 1;
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x % 32 == 0)
    s[0] = 2;
  __syncthreads();
  out[threadIdx.x] = s[0];
}
// SHARED:beside_another_value grid (1,1,1) block (96,1,1): race (between warps race, within a warp free)
// SHARED-NEXT:  between warps: line [[#@LINE-9]] write by (0,0,0), line [[#@LINE-5]] write by (64,0,0) {{.*}}

// Whatever the lanes bring, the answer is one for all of them; not for two warps, and not what lanes are told of each other.
// smem-lint: launch grid=1 block=64
__global__ void told_alike(int *out, const int *in) {
  __shared__ int ballots[2], sums[2], both, shifted[2];
  const int v = in[threadIdx.x];
  ballots[threadIdx.x / 32] = __ballot_sync(~0u, v > 3);
  sums[threadIdx.x / 32] = __reduce_add_sync(~0u, v);
  both = __any_sync(~0u, v);
  shifted[threadIdx.x / 32] = __shfl_xor_sync(~0u, v, 1);
  __syncthreads();
  out[threadIdx.x] = ballots[threadIdx.x & 1] + sums[threadIdx.x & 1] + both + shifted[threadIdx.x & 1];
}
// SHARED:told_alike grid (1,1,1) block (64,1,1): race (between warps race, within a warp race)
// SHARED-NEXT:  within a warp: line [[#@LINE-5]] write by (0,0,0), line [[#@LINE-5]] write by (1,0,0) of block (0,0,0), byte 0 of shifted, interval 0
// SHARED-NEXT:  between warps: line [[#@LINE-7]] write by (0,0,0), line [[#@LINE-7]] write by (32,0,0) of block (0,0,0), byte 0 of both, interval 0
// SHARED-NEXT:  one value, within a warp: line [[#@LINE-10]] write by (0,0,0), line [[#@LINE-10]] write by (1,0,0) of block (0,0,0), byte 0 of ballots, interval 0
// SHARED-NEXT:  one value, within a warp: line [[#@LINE-10]] write by (0,0,0), line [[#@LINE-10]] write by (1,0,0) of block (0,0,0), byte 0 of sums, interval 0
// SHARED-NEXT:  one value, within a warp: line [[#@LINE-10]] write by (0,0,0), line [[#@LINE-10]] write by (1,0,0) of block (0,0,0), byte 0 of both, interval 0
