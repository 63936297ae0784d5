// Lanes that agree with a part of their warp, warps that wait for a part of their block, two numbers in a register.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

__device__ void number(int *tile, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
}
template <int Size> __global__ void tiled(int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const auto group = cg::tiled_partition<Size>(cg::this_thread_block());
  const int rank = group.thread_rank(), which = group.meta_group_rank();
  if (group.all(rank < Size)) out[threadIdx.x] = tile[rank * 8];
  if (group.any(which == 1)) out[threadIdx.x + 256] = tile[rank * 16];
  const unsigned third = group.ballot(rank % 3 == 0);
  out[threadIdx.x + 512] = tile[__popc(third) * 32 * rank & 2047];
  int sum = rank;
  for (int d = Size / 2; d > 0; d /= 2) sum += group.shfl_xor(sum, d);
  out[threadIdx.x + 768] = tile[sum + which * 4 & 2047];
}
__global__ void reduced(int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const auto group = cg::tiled_partition<16>(cg::this_thread_block());
  const int sum = cg::reduce(group, int(group.thread_rank()), cg::plus<int>()), most = cg::reduce(group, int(threadIdx.x & 31), cg::greater<int>());
  const int before = cg::exclusive_scan(group, 2);
  out[threadIdx.x] = tile[sum + group.thread_rank() * 2];
  out[threadIdx.x + 64] = tile[most * 32];
  out[threadIdx.x + 128] = tile[before * 16];
}
__global__ void masked(int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const int lane = threadIdx.x & 31;
  const unsigned quarter = 0xffu << (lane & 24);
  const unsigned third = __ballot_sync(quarter, lane % 3 == 0);
  __syncthreads();
  out[threadIdx.x] = tile[(__ffs(third) - 1) * 32];
  __syncthreads();
  const unsigned even = __match_any_sync(quarter, lane & 1);
  __syncthreads();
  out[threadIdx.x + 64] = tile[__popc(even) * lane];
  __syncthreads();
  const unsigned sum = __reduce_add_sync(quarter, lane);
  __syncthreads();
  out[threadIdx.x + 128] = tile[sum * 4 & 2047];
}
__global__ void same_key(const int *offset, int shift, int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const int lane = threadIdx.x & 31;
  const unsigned peers = __match_any_sync(~0u, (offset[0] + shift + lane / 4) * 8);
  out[threadIdx.x] = tile[(__ffs(peers) - 1) * 32];
  out[threadIdx.x + 64] = tile[__popc(peers) * lane];
}
__global__ void half_block(int *out) {
  __shared__ int tile[2048], index[64];
  const int x = threadIdx.x;
  index[x & 63] = 0;
  number(tile, 2048);
  if (x >= 64) {
    index[x - 64] = (x & 31) * 32;
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[x] = tile[index[x]];
  }
}
__global__ void phases(int *out) {
  __shared__ int tile[2048], index[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const int x = threadIdx.x;
  if (x == 0) init(&bar, blockDim.x);
  index[x] = 0;
  number(tile, 2048);
  index[63 - x] = (x & 31) * 16;
  bar.arrive_and_wait();
  out[x] = tile[index[x]];
}
__global__ void halves(int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const unsigned x = threadIdx.x, bits = 0x64006400u | (x & 15) | (x >> 4) << 16, magic = 0x64006400u;
  const __half2 numbers = __hsub2(*reinterpret_cast<const __half2 *>(&bits), *reinterpret_cast<const __half2 *>(&magic));
  out[x] = tile[int(__low2float(numbers)) * 32];
  out[x + 32] = tile[int(__high2float(numbers)) * 4 + (x & 7)];
}
__global__ void limits(int *out) {
  __shared__ int tile[2048];
  number(tile, 2048);
  const int x = threadIdx.x;
  out[x] = tile[__vimax_s32_relu(x - 16, -8) * 32];
  out[x + 32] = tile[__viaddmin_s32_relu(x, -20, 9) * 32];
  out[x + 64] = tile[(__vmaxs2(x | (x * 5) << 16, 0x00100009) & 63) * 32];
}
int main() {
  int *a;
  cudaMalloc(&a, 1 << 20); cudaMemset(a, 0, 1 << 20);
  tiled<4><<<2, 64>>>(a); tiled<16><<<2, 64>>>(a); tiled<32><<<2, 64>>>(a);
  reduced<<<2, 64>>>(a);
  masked<<<2, 64>>>(a);
  same_key<<<2, 64>>>(a + 4096, 3, a);
  half_block<<<1, 128>>>(a);
  phases<<<1, 64>>>(a);
  halves<<<1, 32>>>(a);
  limits<<<1, 32>>>(a);
  return cudaDeviceSynchronize();
}
