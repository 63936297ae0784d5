// What units serve in a clock at most: the figures that no document has. Needs no counters.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 validate/microbench/throughput.cu -o throughput && ./throughput > throughput.jsonl
//   nvidia-smi -q -d CLOCK >> throughput.txt        # "Max Clocks": SM and Memory
//
// One JSON object a line: what was done, how often, in how many cycles of the SMs' clock (the longest block's, by clock64()) and nanoseconds.
// - tags: a warp's lanes load from 32 lines `stride` bytes apart, all in L1: lines a clock. By stride, as lines may share a set.
// - data: loads of `sectors` sectors that are in L1, beside loads from shared memory: whether they take turns in one pipe.
// - l2: every SM reads `bytes` bytes that are in L2 and not in L1 (.cg): bytes a clock of the chip.
// - stores: of `words` words of each of `sectors` sectors of each line that is in L2, by lanes that store `width` words: sectors and bytes a nanosecond.
// - dram: reads, writes and copies far beyond L2: GB/s.
// - atomics: reductions of all SMs on `words` words of global memory: operations a clock.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timing.cuh"

namespace {

constexpr int kThreads = 1024, kRounds = 2048;

struct Timer {
  long long *cycles = nullptr; ///< by block
  int blocks = 0;
  explicit Timer(int blocks) : blocks(blocks) { check(cudaMalloc(&cycles, sizeof(long long) * blocks)); }
  ~Timer() { cudaFree(cycles); }
  long long longest() const {
    std::vector<long long> all(blocks);
    check(cudaMemcpy(all.data(), cycles, sizeof(long long) * blocks, cudaMemcpyDeviceToHost));
    return *std::max_element(all.begin(), all.end());
  }
};

/// Each lane loads its own line, `stride` bytes from the next lane's, always the same ones: all but the first time from L1.
__global__ void tags(const int *data, int stride, int zero, long long *cycles, int *sink) {
  const int lane = threadIdx.x % 32;
  int at = lane * (stride / 4), sum = 0;
  sum += __ldca(data + at);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("{ .reg .s32 v; ld.global.ca.s32 v, [%1]; add.s32 %0, %0, v; }" : "+r"(sum) : "l"(data + at));
    at += zero;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = clock64() - begin;
  if (sum == 12345)
    *sink = sum;
}

/// `global` loads of one line and `shared` loads without conflict in each round.
template <int Global, int Shared> __global__ void pipe(const int *data, int zero, long long *cycles, int *sink) {
  __shared__ int words[kThreads];
  words[threadIdx.x] = threadIdx.x;
  int at = threadIdx.x % 32, sum = __ldca(data + at);
  unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int i = 0; i < kRounds; ++i) {
#pragma unroll
    for (int g = 0; g < Global; ++g)
      asm volatile("{ .reg .s32 v; ld.global.ca.s32 v, [%1]; add.s32 %0, %0, v; }" : "+r"(sum) : "l"(data + at + 32 * g));
#pragma unroll
    for (int s = 0; s < Shared; ++s)
      asm volatile("{ .reg .s32 v; ld.volatile.shared.s32 v, [%1]; add.s32 %0, %0, v; }" : "+r"(sum) : "r"(place));
    at += zero;
    place += zero;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = clock64() - begin;
  if (sum == 12345)
    *sink = sum;
}

/// All blocks together read `count` vectors, `times` times, from L2 or memory.
__global__ void read(const int4 *data, std::size_t count, int times, int *sink) {
  int sum = 0;
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
      const int4 v = __ldcg(data + i);
      sum += v.x ^ v.y ^ v.z ^ v.w;
    }
  if (sum == 12345)
    *sink = sum;
}

__global__ void write(int4 *data, std::size_t count, int times) {
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
      __stcg(data + i, make_int4(t, t, t, t));
}

/// All blocks together store `words` words of each of `sectors` sectors of each of `lines` lines, T at a time: a warp's lanes store side by side.
template <class T> __global__ void store_parts(T *data, unsigned lines, unsigned words, unsigned sectors, int times) {
  constexpr unsigned kWidth = sizeof(T) / 4;
  const unsigned of_sector = words / kWidth, count = lines * sectors * of_sector;
  for (int t = 0; t < times; ++t)
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
      const unsigned sector = i / of_sector, part = i % of_sector;
      T value{};
      __stcg(data + (sector / sectors * 32 + sector % sectors * 8) / kWidth + part, value);
    }
}

/// One lane of each warp adds to a word.
__global__ void atomics(int *data, int words, int times) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x % 32 == 0)
    for (int t = 0; t < times; ++t)
      asm volatile("red.global.add.s32 [%0], %1;" ::"l"(data + warp % words * 32), "r"(t) : "memory");
}

} // namespace

int main() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const int sms = device.multiProcessorCount, blocks = 2 * sms; // two blocks of 1,024 threads fill an SM
  std::printf("{\"kind\":\"gpu\",\"name\":\"%s\",\"sms\":%d,\"l2_bytes\":%d,\"bus_bits\":%d}\n", device.name, sms, device.l2CacheSize,
              device.memoryBusWidth);
  constexpr std::size_t kBytes = std::size_t{4} << 30;
  int *data = nullptr, *sink = nullptr;
  check(cudaMalloc(&data, kBytes));
  check(cudaMalloc(&sink, 4));
  check(cudaMemset(data, 0, kBytes));
  Timer timer(blocks);
  const double warps_of_sm = 2.0 * kThreads / 32;

  for (const int stride : {0, 4, 32, 64, 128, 132, 160, 192, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 2048, 2176, 4096, 4224, 8192, 8320}) {
    const float ns = fastest([&] { tags<<<blocks, kThreads>>>(data, stride, 0, timer.cycles, sink); });
    const double cycles = static_cast<double>(timer.longest());
    std::printf("{\"kind\":\"tags\",\"stride\":%d,\"requests_of_sm\":%.0f,\"cycles\":%.0f,\"cycles_a_request\":%.3f,\"ns\":%.0f}\n", stride,
                warps_of_sm * kRounds, cycles, cycles / (warps_of_sm * kRounds), ns);
  }
  const auto mix = [&](const char *name, auto kernel, int global, int shared) {
    const float ns = fastest([&] { kernel<<<blocks, kThreads>>>(data, 0, timer.cycles, sink); });
    const double requests = warps_of_sm * kRounds * (global + shared), cycles = static_cast<double>(timer.longest());
    std::printf("{\"kind\":\"data\",\"mix\":\"%s\",\"global\":%d,\"shared\":%d,\"requests_of_sm\":%.0f,\"cycles\":%.0f,\"cycles_a_request\":%.3f,\"ns\":%.0f}\n",
                name, global, shared, requests, cycles, cycles / requests, ns);
  };
  mix("global", pipe<2, 0>, 2, 0);
  mix("shared", pipe<0, 2>, 0, 2);
  mix("both", pipe<1, 1>, 1, 1);
  mix("both", pipe<1, 3>, 1, 3);

  const auto report = [&](const char *kind, const char *what, std::size_t bytes, int times, float ns) {
    std::printf("{\"kind\":\"%s\",\"what\":\"%s\",\"bytes\":%zu,\"times\":%d,\"ns\":%.0f,\"gbs\":%.1f}\n", kind, what, bytes, times, ns,
                static_cast<double>(bytes) * times / ns);
  };
  for (const std::size_t mib : {4, 8, 16, 24, 32, 48}) { // of 50 to 60 MiB
    const std::size_t bytes = mib << 20;
    const int times = static_cast<int>((std::size_t{4} << 30) / bytes);
    report("l2", "read", bytes, times, fastest([&] { read<<<blocks, kThreads>>>(reinterpret_cast<int4 *>(data), bytes / 16, times, sink); }));
    report("l2", "write", bytes, times, fastest([&] { write<<<blocks, kThreads>>>(reinterpret_cast<int4 *>(data), bytes / 16, times); }));
  }
  const auto stores = [&](auto *typed, unsigned words, unsigned sectors) {
    constexpr unsigned kLines = (16u << 20) / 128;
    const unsigned width = sizeof *typed / 4;
    constexpr int kTimes = 64;
    const float ns = fastest([&] { store_parts<<<blocks, kThreads>>>(typed, kLines, words, sectors, kTimes); });
    const double stored = static_cast<double>(kLines) * sectors * kTimes;
    std::printf("{\"kind\":\"stores\",\"width\":%u,\"words\":%u,\"sectors\":%u,\"ns\":%.0f,\"sectors_a_ns\":%.2f,\"bytes_a_ns\":%.1f}\n", width, words, sectors, ns,
                stored / ns, stored * words * 4 / ns);
  };
  for (const unsigned sectors : {1, 2, 4})
    for (const unsigned words : {1, 2, 4, 8}) {
      stores(data, words, sectors);
      if (words >= 2)
        stores(reinterpret_cast<int2 *>(data), words, sectors);
      if (words >= 4)
        stores(reinterpret_cast<int4 *>(data), words, sectors);
    }
  report("dram", "read", kBytes, 1, fastest([&] { read<<<blocks, kThreads>>>(reinterpret_cast<int4 *>(data), kBytes / 16, 1, sink); }));
  report("dram", "write", kBytes, 1, fastest([&] { write<<<blocks, kThreads>>>(reinterpret_cast<int4 *>(data), kBytes / 16, 1); }));
  for (const int words : {1, 2, 4, 16, 64, 256, 4096}) {
    constexpr int kTimes = 256;
    const float ns = fastest([&] { atomics<<<blocks, kThreads>>>(data, words, kTimes); });
    const double operations = static_cast<double>(blocks) * kThreads / 32 * kTimes;
    std::printf("{\"kind\":\"atomics\",\"words\":%d,\"operations\":%.0f,\"ns\":%.0f,\"a_ns\":%.3f}\n", words, operations, ns, operations / ns);
  }
  return 0;
}
