// A common mistake: reading what another thread stored to shared memory without a barrier in between.
//
// Reversal of 256-element segments. The wrong kernel reads elements that other warps may not have stored yet; its data is
// not checked. Its memory counts are those of the right one: a missing barrier is an error, not a conflict.
//   smem[t]        32 consecutive words: 1-way
//   smem[255 - t]  32 consecutive words in reversed order: 32 banks, 1-way
//   in, out        32 consecutive words, aligned: 4 sectors
//
// Whole launch of each kernel: 2^20 elements, 4,096 blocks of 8 warps: 32,768 requests a site; shared memory 32,768
// wavefronts a site, global memory 131,072 sectors a site; all ideal.
#include "catalogue.h"

constexpr int kThreads = 256;

__global__ void reverse_without_barrier(const float *in, float *out) {
  __shared__ float smem[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  smem[threadIdx.x] = in[i];                 // expect: global load 4 sectors/request; shared store 1-way
  out[i] = smem[kThreads - 1 - threadIdx.x];  // expect: shared load 1-way; global store 4 sectors/request
}

__global__ void reverse_with_barrier(const float *in, float *out) {
  __shared__ float smem[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  smem[threadIdx.x] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  out[i] = smem[kThreads - 1 - threadIdx.x];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n, 11);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[(i / kThreads + 1) * kThreads - 1 - i % kThreads];

  catalogue::Device<float> d_in(in), d_out(n);
  reverse_without_barrier<<<n / kThreads, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  d_out.clear();

  reverse_with_barrier<<<n / kThreads, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("reverse_with_barrier", d_out.download(), expected);
  return catalogue::report("mistake_missing_barrier", ok);
}
