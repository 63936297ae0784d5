// __syncwarp() of some lanes: their masks are values of each lane, constants in a branch, or a cooperative group's.
// RUN: %races %s | FileCheck %s
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CHECK: half_by_value grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void half_by_value(float *out, const float *in) {
  __shared__ float s[64];
  const unsigned half = threadIdx.x & 16 ? 0xffff0000u : 0x0000ffffu;
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(half);
  out[threadIdx.x] = s[threadIdx.x ^ 15];
}

// CHECK: other_half grid (1,1,1) block (64,1,1): race (between warps free, within a warp race)
// CHECK-NEXT: within a warp: line [[#@LINE+4]] write by ({{.*}}), line [[#@LINE+6]] read by
__global__ void other_half(float *out, const float *in) {
  __shared__ float s[64];
  const unsigned half = threadIdx.x & 16 ? 0xffff0000u : 0x0000ffffu;
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(half);
  out[threadIdx.x] = s[threadIdx.x ^ 16];
}

// CHECK: tile_of_four grid (1,1,1) block (64,1,1): free ({{.*}}) in every launch with this block
__global__ void tile_of_four(float *out, const float *in) {
  __shared__ float s[64];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  s[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = s[threadIdx.x ^ 3];
}

// CHECK: beyond_tile grid (1,1,1) block (64,1,1): race (between warps free, within a warp race)
__global__ void beyond_tile(float *out, const float *in) {
  __shared__ float s[64];
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  s[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = s[threadIdx.x ^ 4];
}

// What a tile of four has learnt, the tile of eight passes on.
// CHECK: passed_on grid (1,1,1) block (32,1,1): free ({{.*}}) in every launch with this block
__global__ void passed_on(float *out, const float *in) {
  __shared__ float s[32];
  const auto four = cg::tiled_partition<4>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
  s[threadIdx.x] = in[threadIdx.x];
  four.sync();
  eight.sync();
  out[threadIdx.x] = s[threadIdx.x ^ 7];
}

// CHECK: in_a_branch grid (1,1,1) block (32,1,1): free ({{.*}}) in every launch with this block
__global__ void in_a_branch(float *out, const float *in) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncwarp(0x0000ffff);
    out[threadIdx.x] = s[threadIdx.x ^ 15];
  }
}

// CHECK: beside_a_branch grid (1,1,1) block (32,1,1): race (between warps free, within a warp race)
__global__ void beside_a_branch(float *out, const float *in) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncwarp(0x0000ffff);
    out[threadIdx.x] = s[threadIdx.x ^ 16];
  }
}

// CHECK: by_vote grid (1,1,1) block (32,1,1): free ({{.*}}) in every launch with this block
__global__ void by_vote(float *out, const float *in) {
  __shared__ float s[32];
  const unsigned lanes = __ballot_sync(0xffffffff, threadIdx.x < 8);
  if (threadIdx.x < 8) {
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp(lanes);
    out[threadIdx.x] = s[threadIdx.x ^ 7];
  }
}

// Lanes that have ended leave nothing unknown among the others.
// CHECK: after_return grid (1,1,1) block (32,1,1): free ({{.*}})
__global__ void after_return(float *out, const float *in) {
  __shared__ float s[32];
  if (threadIdx.x >= 16)
    return;
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(0x0000ffff);
  out[threadIdx.x] = s[threadIdx.x ^ 15];
}

// Which lanes the mask names depends on data.
// CHECK: by_data grid (1,1,1) block (32,1,1): unknown (between warps free, within a warp unknown): barriers of some lanes of a warp may order accesses
__global__ void by_data(float *out, const float *in) {
  __shared__ float s[32];
  const unsigned lanes = __match_any_sync(0xffffffff, static_cast<int>(in[threadIdx.x]));
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(lanes);
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// The two sides of a branch meet, in an order that is not followed.
// CHECK: both_sides grid (1,1,1) block (32,1,1): unknown (between warps free, within a warp unknown): barriers of some lanes of a warp may order accesses
__global__ void both_sides(float *out, const float *in) {
  __shared__ float s[32];
  if (threadIdx.x < 16) {
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
  } else {
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 16];
  }
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 256);
  cudaMalloc(&in, 256);
  half_by_value<<<1, 64>>>(out, in);
  other_half<<<1, 64>>>(out, in);
  tile_of_four<<<1, 64>>>(out, in);
  beyond_tile<<<1, 64>>>(out, in);
  passed_on<<<1, 32>>>(out, in);
  in_a_branch<<<1, 32>>>(out, in);
  beside_a_branch<<<1, 32>>>(out, in);
  by_vote<<<1, 32>>>(out, in);
  after_return<<<1, 32>>>(out, in);
  by_data<<<1, 32>>>(out, in);
  both_sides<<<1, 32>>>(out, in);
}
