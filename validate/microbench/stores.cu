// How many of the sectors that stores request leave L1 for L2: it makes one of those that meet there.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 validate/microbench/stores.cu -o stores
//   ncu --clock-control none --cache-control none --csv --page raw --print-units base --metrics gpu__time_duration.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__m_l1tex2xbar_write_sectors.sum ./stores
//
// Each kernel stores all of 64 MiB once, 2,097,152 sectors, a word at a time and none twice. Recorded: validate/recorded/stores-h200.json.
#include <cuda_runtime.h>

#include "timing.cuh"

namespace {

constexpr unsigned kWords = (64u << 20) / 4, kThreads = 256;

__device__ void store(int *to, int value) {
  asm volatile("st.global.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

__device__ int load(const int *from) {
  int value;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

/// Of each sector eight warps of a block store a word each.
template <bool Loads> __global__ void several_warps(int *out, const int *in) {
  const std::size_t sector = std::size_t{blockIdx.x} * 32 + threadIdx.x % 32;
  store(out + sector * 8 + threadIdx.x / 32, Loads ? load(in + std::size_t{blockIdx.x} * kThreads + threadIdx.x) : 3);
}

/// A thread stores `Words` words in a row, one statement after the other.
template <int Words, bool Loads> __global__ void straight(int *out, const int *in) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int values[Words];
#pragma unroll
  for (int i = 0; i < Words; ++i)
    values[i] = Loads ? load(in + thread + std::size_t{gridDim.x} * blockDim.x * i) : i;
#pragma unroll
  for (int i = 0; i < Words; ++i)
    store(out + thread * Words + i, values[i]);
}

/// The same in a loop, each word behind a load.
template <int Words, bool Loads> __global__ void looped(int *out, const int *in) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < Words; ++i)
    store(out + thread * Words + i, Loads ? load(in + thread + std::size_t{gridDim.x} * blockDim.x * i) : i);
}

/// The same with a barrier behind each.
template <int Words> __global__ void behind_barriers(int *out) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll
  for (int i = 0; i < Words; ++i) {
    store(out + thread * Words + i, i);
    __syncthreads();
  }
}

/// The store of a transpose: lanes are a row apart, warps store side by side.
__global__ void columns(int *out, const int *in) {
  constexpr int kRow = 4096;
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x), y = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
  store(out + x * kRow + y, load(in + y * kRow + x));
}

} // namespace

int main() {
  int *out = nullptr, *in = nullptr;
  check(cudaMalloc(&out, kWords * 4));
  check(cudaMalloc(&in, kWords * 4));
  check(cudaMemset(in, 0, kWords * 4));
  several_warps<false><<<kWords / kThreads, kThreads>>>(out, in);
  several_warps<true><<<kWords / kThreads, kThreads>>>(out, in);
  straight<2, false><<<kWords / 2 / kThreads, kThreads>>>(out, in);
  straight<2, true><<<kWords / 2 / kThreads, kThreads>>>(out, in);
  straight<4, false><<<kWords / 4 / kThreads, kThreads>>>(out, in);
  straight<4, true><<<kWords / 4 / kThreads, kThreads>>>(out, in);
  straight<8, false><<<kWords / 8 / kThreads, kThreads>>>(out, in);
  straight<8, true><<<kWords / 8 / kThreads, kThreads>>>(out, in);
  straight<16, true><<<kWords / 16 / kThreads, kThreads>>>(out, in);
  looped<2, false><<<kWords / 2 / kThreads, kThreads>>>(out, in);
  looped<2, true><<<kWords / 2 / kThreads, kThreads>>>(out, in);
  looped<4, true><<<kWords / 4 / kThreads, kThreads>>>(out, in);
  looped<8, false><<<kWords / 8 / kThreads, kThreads>>>(out, in);
  looped<8, true><<<kWords / 8 / kThreads, kThreads>>>(out, in);
  behind_barriers<2><<<kWords / 2 / kThreads, kThreads>>>(out);
  behind_barriers<8><<<kWords / 8 / kThreads, kThreads>>>(out);
  columns<<<dim3(128, 128), dim3(32, 32)>>>(out, in);
  check(cudaDeviceSynchronize());
}
