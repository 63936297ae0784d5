// One-dimensional stencil of radius 3 with a shared line of 256 + 6 elements.
//
// The input has 3 extra elements at both ends, so element i of the output is the sum of in[i] .. in[i + 6].
//   line[t + 3] = in[i + 3]   words shifted by 3: 32 consecutive words, 1-way; 128 bytes at an offset of 12 bytes touch
//                             5 sectors and 2 tags
//   halo, t < 3               3 lanes: line[t] = in[i]: 12 bytes at a multiple of 1,024: 1 sector, 1 tag;
//                             line[t + 259] = in[i + 259]: bytes 12..23 behind a multiple of 1,024: 1 sector, 1 tag
//   line[t + d], d = 0..6     32 consecutive words, whatever d: 1-way (no merging, t + d has no known alignment)
//   out[i]                    4 sectors
//
// Whole launch, 2^20 outputs, 4,096 blocks of 8 warps: centre load and store 32,768 requests (163,840 sectors; 32,768
// wavefronts); each halo site 4,096 requests with active lanes; stencil loads 7 * 32,768 requests and wavefronts; result
// 32,768 requests, 131,072 sectors.
#include "catalogue.h"

constexpr int kRadius = 3;
constexpr int kThreads = 256;

__global__ void stencil_1d(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float line[kThreads + 2 * kRadius];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  line[t + kRadius] = in[i + kRadius];  // expect: global load 5 sectors/request; shared store 1-way
  if (t < kRadius) {
    line[t] = in[i];                                            // expect: global load 1 sectors/request; shared store 1-way
    line[t + kThreads + kRadius] = in[i + kThreads + kRadius];  // expect: global load 1 sectors/request; shared store 1-way
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int d = 0; d <= 2 * kRadius; ++d) sum += line[t + d];  // expect: shared load 1-way
  out[i] = sum;                                               // expect: global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n + 2 * kRadius, 22);
  std::vector<float> expected(n, 0.0f);
  for (int i = 0; i < n; ++i)
    for (int d = 0; d <= 2 * kRadius; ++d) expected[i] += in[i + d];

  catalogue::Device<float> d_in(in), d_out(n);
  stencil_1d<<<n / kThreads, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("stencil", d_out.download(), expected);
  return catalogue::report("stencil_1d", ok);
}
