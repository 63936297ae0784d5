// Histogram of bytes with shared atomics: which bank an atomic meets depends on the data, so its count cannot be known
// from the source. Everything around it can.
//
// histogram_block: one set of 256 bins a block. histogram_warp: one set a warp, which keeps warps apart but not lanes.
//   bins[...] = 0             consecutive words: 1-way
//   data[i]                   32 consecutive bytes: 1 sector
//   atomicAdd(&bins[byte])    data-dependent: unknown; the address comes from data[i]
//   bins[t] at the end        consecutive words: 1-way
//   atomicAdd(&total[t])      32 consecutive words of global memory
//
// Whole launch of each, 2^20 bytes, 64 blocks of 256 threads, 64 bytes a thread: data 32,768 requests, 32,768 sectors;
// shared atomics 32,768 requests, wavefronts unknown (at least 32,768). Clearing: 512 requests (block) or 4,096 (warp);
// final load: the same numbers; global atomics 512 requests.
#include "catalogue.h"

constexpr int kBins = 256;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

__global__ void histogram_block(const unsigned char *data, unsigned *total, int n) {
  __shared__ unsigned bins[kBins];
  bins[threadIdx.x] = 0;  // expect: shared store 1-way
  __syncthreads();
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    const unsigned char byte = data[i];  // expect: global load 1 sectors/request
    atomicAdd(&bins[byte], 1u);          // expect: shared atomic unknown
  }
  __syncthreads();
  const unsigned count = bins[threadIdx.x];  // expect: shared load 1-way
  atomicAdd(&total[threadIdx.x], count);
}

__global__ void histogram_warp(const unsigned char *data, unsigned *total, int n) {
  __shared__ unsigned bins[kWarps][kBins];
  const int warp = threadIdx.x / 32;
  for (int b = threadIdx.x; b < kWarps * kBins; b += kThreads) bins[b / kBins][b % kBins] = 0;  // expect: shared store 1-way
  __syncthreads();
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    const unsigned char byte = data[i];  // expect: global load 1 sectors/request
    atomicAdd(&bins[warp][byte], 1u);    // expect: shared atomic unknown
  }
  __syncthreads();
  unsigned count = 0;
  for (int w = 0; w < kWarps; ++w) count += bins[w][threadIdx.x];  // expect: shared load 1-way
  atomicAdd(&total[threadIdx.x], count);
}

int main() {
  const int n = 1 << 20;
  const int blocks = 64;
  const std::vector<unsigned char> data = catalogue::random_integers<unsigned char>(n, 200, 20);
  std::vector<unsigned> expected(kBins, 0u);
  for (const unsigned char byte : data) ++expected[byte];

  catalogue::Device<unsigned char> d_data(data);
  catalogue::Device<unsigned> d_total(kBins);
  histogram_block<<<blocks, kThreads>>>(d_data, d_total, n);
  CHECK_LAUNCH();
  bool ok = catalogue::compare("a set of bins a block", d_total.download(), expected);

  d_total.clear();
  histogram_warp<<<blocks, kThreads>>>(d_data, d_total, n);
  CHECK_LAUNCH();
  ok = catalogue::compare("a set of bins a warp", d_total.download(), expected) && ok;
  return catalogue::report("histogram", ok);
}
