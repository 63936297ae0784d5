// Indices that the kernel keeps in memory and reads back: the banks depend on a value that went through shared memory, a
// local array or an initialised constant, yet everything about it is in the source.
//
//   through_shared      order[t] = 5 t + 3 mod 256, across a barrier. data[order[t]]: lanes 5 words apart (modulo 256, which
//                       is a multiple of 32): gcd(5, 32) = 1: 1-way
//   through_shared_bits order[t] = t with its 8 bits reversed: the 5 bits of the lane become the upper ones: lanes on 32 words
//                       8 apart, 4 banks with 8 words each: 8-way
//   through_local       base[] = {0, 32, 64, 96} in a local array, indexed by lane mod 4; word base + lane / 4: bank lane / 4
//                       must give four words: 4-way
//   through_constant    table in constant memory, a permutation of 0..31: 32 banks: 1-way; a second one repeats banks in
//                       pairs (word and word + 32): 2-way
//   The tables themselves are stored and read at consecutive words: 1-way.
//
// Whole launch of each, 2^18 elements, 256 a block, 1,024 blocks of 8 warps: every site 8,192 requests; shared wavefronts =
// 8,192 times the degree; global 4 sectors a request, 32,768 sectors a site.
#include "catalogue.h"

constexpr int kThreads = 256;

__constant__ int kPermutation[32] = {7,  22, 3,  18, 31, 14, 27, 10, 5,  20, 1,  16, 29, 12, 25, 8,
                                     23, 6,  19, 2,  15, 30, 11, 26, 21, 4,  17, 0,  13, 28, 9,  24};
__constant__ int kPairs[32] = {0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
                               8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};

__global__ void through_shared(const float *in, float *out) {
  __shared__ int order[kThreads];
  __shared__ float data[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  order[t] = (5 * t + 3) % kThreads;  // expect: shared store 1-way
  data[t] = in[i];                    // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const int from = order[t];  // expect: shared load 1-way
  out[i] = data[from];        // expect: shared load 1-way; global store 4 sectors/request
}

__global__ void through_shared_bits(const float *in, float *out) {
  __shared__ int order[kThreads];
  __shared__ float data[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  order[t] = static_cast<int>(__brev(static_cast<unsigned>(t)) >> 24);  // expect: shared store 1-way
  data[t] = in[i];                                                      // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const int from = order[t];  // expect: shared load 1-way
  out[i] = data[from];        // expect: shared load 8-way; global store 4 sectors/request
}

__global__ void through_local(const float *in, float *out) {
  __shared__ float data[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  data[t] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  int base[4];
  for (int k = 0; k < 4; ++k) base[k] = 32 * k;
  const int lane = t % 32;
  const int from = base[lane % 4] + lane / 4;
  out[i] = data[from];  // expect: shared load 4-way; global store 4 sectors/request
}

__global__ void through_constant(const float *in, float *out) {
  __shared__ float data[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  data[t] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();
  const float one = data[kPermutation[t % 32]];  // expect: shared load 1-way
  const float two = data[kPairs[t % 32]];        // expect: shared load 2-way
  out[i] = one + 2 * two;                        // expect: global store 4 sectors/request
}

static int reversed(int t) {
  int r = 0;
  for (int bit = 0; bit < 8; ++bit) r |= (t >> bit & 1) << (7 - bit);
  return r;
}

int main() {
  static const int permutation[32] = {7,  22, 3,  18, 31, 14, 27, 10, 5,  20, 1,  16, 29, 12, 25, 8,
                                      23, 6,  19, 2,  15, 30, 11, 26, 21, 4,  17, 0,  13, 28, 9,  24};
  const int n = 1 << 18;
  const int blocks = n / kThreads;
  const std::vector<float> in = catalogue::random_values(n, 36);
  std::vector<float> expected(n);
  catalogue::Device<float> d_in(in), d_out(n);
  bool ok = true;

  through_shared<<<blocks, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected[i] = in[i / kThreads * kThreads + (5 * (i % kThreads) + 3) % kThreads];
  ok = catalogue::compare("through_shared", d_out.download(), expected) && ok;

  through_shared_bits<<<blocks, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected[i] = in[i / kThreads * kThreads + reversed(i % kThreads)];
  ok = catalogue::compare("through_shared_bits", d_out.download(), expected) && ok;

  through_local<<<blocks, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) expected[i] = in[i / kThreads * kThreads + i % 4 * 32 + i % 32 / 4];
  ok = catalogue::compare("through_local", d_out.download(), expected) && ok;

  through_constant<<<blocks, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) {
    const float *block_in = &in[i / kThreads * kThreads];
    expected[i] = block_in[permutation[i % 32]] + 2 * block_in[i % 32 / 2 + i % 2 * 32];
  }
  ok = catalogue::compare("through_constant", d_out.download(), expected) && ok;
  return catalogue::report("local_array_index", ok);
}
