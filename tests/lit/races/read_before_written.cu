// Reads of what only the thread itself writes, and only later.
// RUN: %races %s | FileCheck --match-full-lines --strict-whitespace %s

// smem-lint: launch grid=1 block=64
__global__ void sum_without_zero(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] += 3;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK:sum_without_zero grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK-NEXT:  unwritten: line [[#@LINE-5]] read by (0,0,0) of block (0,0,0), byte 0 of s

// smem-lint: launch grid=1 block=64
__global__ void one_sum(int *out) {
  __shared__ int sum;
  for (int i = 0; i < 4; ++i)
    if (threadIdx.x == 5)
      sum += i;
  __syncthreads();
  out[threadIdx.x] = sum;
}
// CHECK-NEXT:one_sum grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK-NEXT:  unwritten: line [[#@LINE-5]] read by (5,0,0) of block (0,0,0), byte 0 of sum

// Half of the threads have written theirs.
// smem-lint: launch grid=1 block=64
__global__ void half_zeroed(float *out) {
  __shared__ float s[64];
  if (threadIdx.x < 32)
    s[threadIdx.x] = 0;
  s[threadIdx.x] += 1;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK-NEXT:half_zeroed grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
// CHECK-NEXT:  unwritten: line [[#@LINE-5]] read by (32,0,0) of block (0,0,0), byte 128 of s

// smem-lint: launch grid=1 block=64
__global__ void zeroed_in_first_iteration(int *out) {
  __shared__ int s[64];
  for (int i = 0; i < 4; ++i) {
    if (i == 0)
      s[threadIdx.x] = 0;
    s[threadIdx.x] += i;
  }
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK-NEXT:zeroed_in_first_iteration grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block

// smem-lint: launch grid=1 block=64
__global__ void perhaps_zeroed(float *out, const int *in) {
  __shared__ float s[64];
  if (in[threadIdx.x] > 3)
    s[threadIdx.x] = 0;
  s[threadIdx.x] += 1;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK-NEXT:perhaps_zeroed grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block

// Another thread may have written it by then; that is a race.
// smem-lint: launch grid=1 block=32
__global__ void of_the_lane_before(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = s[(threadIdx.x + 1) % 32];
  out[threadIdx.x] = s[threadIdx.x];
}
// CHECK-NEXT:of_the_lane_before grid (1,1,1) block (32,1,1): race (between warps free, within a warp race)
// CHECK-NEXT:  within a warp: line [[#@LINE-4]] read by (31,0,0), line [[#@LINE-4]] write by (0,0,0) of block (0,0,0), byte 0 of s, interval 0

// What is read is the rest of the word, which the store keeps.
struct Flags {
  unsigned first : 3, second : 5;
};
// smem-lint: launch grid=1 block=64
__global__ void bit_fields(int *out) {
  __shared__ Flags s[64];
  s[threadIdx.x].first = 1;
  s[threadIdx.x].second = 2;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x].second;
}
// CHECK-NEXT:bit_fields grid (1,1,1) block (64,1,1): free (between warps free, within a warp free) in every launch with this block
