// A common mistake: a barrier inside a branch that not all threads of the block take.
//
// Both kernels stage the first 16 elements of a segment in shared memory and let every thread add the one that its index
// modulo 16 selects. The wrong kernel has the barrier inside the branch: with more than 16 threads the others never
// arrive and the program hangs or reads stale data. It is launched here with blocks of exactly 16 threads, where the
// branch is taken by all and the program is legal.
//   head[t], t < 16    16 consecutive words: 1-way
//   head[t & 15]       16 words, each read by two lanes of a full warp: 1-way
//
// Right kernel: 2^20 elements, 4,096 blocks of 256 threads. Store: one warp of the block has 16 active lanes, the other
//   seven none: 4,096 requests with active lanes, 4,096 wavefronts. Shared load: 32,768 requests and wavefronts.
//   Global: head load 4,096 requests of 16 lanes, 2 sectors each; element load and store 32,768 requests, 4 sectors each.
// Wrong kernel: 1,024 blocks of 16 threads, one half-empty warp each: 1,024 requests a site, 1 wavefront or 2 sectors.
#include "catalogue.h"

constexpr int kHead = 16;

__global__ void add_head_wrong(const float *in, float *out) {
  __shared__ float head[kHead];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < kHead) {
    head[threadIdx.x] = in[i];  // expect: global load 2 sectors/request; shared store 1-way; global load assumed
    __syncthreads();
  }
  const float first = head[(threadIdx.x + 1) & (kHead - 1)];  // expect: shared load 1-way
  out[i] = in[i] + first;                                     // expect: global store 2 sectors/request; global load assumed
}

__global__ void add_head_right(const float *in, float *out) {
  __shared__ float head[kHead];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < kHead)
    head[threadIdx.x] = in[i];  // expect: shared store 1-way
  __syncthreads();
  const float first = head[(threadIdx.x + 1) & (kHead - 1)];  // expect: shared load 1-way
  out[i] = in[i] + first;                                     // expect: global store 4 sectors/request
}

static std::vector<float> reference(const std::vector<float> &in, int n, int threads) {
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[i] + in[i / threads * threads + (i % threads + 1) % kHead];
  return expected;
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n, 12);
  catalogue::Device<float> d_in(in), d_out(n);

  const int legal_blocks = 1024;
  add_head_wrong<<<legal_blocks, kHead>>>(d_in, d_out);
  CHECK_LAUNCH();
  d_out.clear();

  const int threads = 256;
  add_head_right<<<n / threads, threads>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("add_head_right", d_out.download(), reference(in, n, threads));
  return catalogue::report("mistake_divergent_barrier", ok);
}
