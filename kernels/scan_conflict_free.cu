// The tree scan without conflicts: one word of padding after every 32 words, by way of an index macro.
//
// Word i is kept at i + i / 32, so its bank is (i + i / 32) mod 32. In a step with lanes t of a warp at 2 o t + c
// (o = offset, c = o - 1 or 2 o - 1; in the steps with 2 o > 32 fewer than 32 lanes are active):
//   o = 1   even (odd) words of two rows; the second row is shifted by one: 1-way
//   o = 2   words 4 apart, 8 to a row, four rows shifted by 0..3: 1-way
//   o = 4   words 8 apart, 4 to a row, eight rows shifted by 0..7: 1-way
//   o = 8   words 16 apart, 2 to a row, sixteen rows shifted by 0..15: 1-way
//   o = 16  words 32 apart, 1 to a row, rows shifted by 0..31: 1-way
//   o = 32, 64, 128, 256  16, 8, 4, 2 lanes, shifts 2, 4, 8, 16 apart: 1-way
// The copy in and out keeps i / 32 uniform in a warp: 1-way. Every shared site has 1 wavefront a request.
//
// Whole launch, 2^20 elements in segments of 1,024: 1,024 blocks of 512 threads. Each tree site: 16 + 8 + 4 + 2 + 1 + 1 + 1
// + 1 + 1 + 1 = 36 requests a block, 36,864 in all and as many wavefronts (195,584 without the padding). Copy: 16,384
// requests a site, 1 wavefront, 4 sectors. Cost: 32 words of 1,056 in shared memory.
#include "catalogue.h"

#define LOG_BANKS 5
#define CONFLICT_FREE(i) ((i) + ((i) >> LOG_BANKS))

constexpr int kSegment = 1024;
constexpr int kThreads = kSegment / 2;

__global__ void scan_conflict_free(const float *in, float *out) {
  __shared__ float tree[CONFLICT_FREE(kSegment)];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kSegment;
  tree[CONFLICT_FREE(t)] = in[first + t];                        // expect: global load 4 sectors/request; shared store 1-way
  tree[CONFLICT_FREE(t + kThreads)] = in[first + t + kThreads];  // expect: global load 4 sectors/request; shared store 1-way

  int offset = 1;
#pragma unroll 1
  for (int active = kThreads; active > 0; active >>= 1) {
    __syncthreads();
    if (t < active) {
      const int a = CONFLICT_FREE(offset * (2 * t + 1) - 1);
      const int b = CONFLICT_FREE(offset * (2 * t + 2) - 1);
      const float left = tree[a];   // expect: shared load 1-way
      const float right = tree[b];  // expect: shared load 1-way
      tree[b] = left + right;       // expect: shared store 1-way
    }
    offset *= 2;
  }
  if (t == 0) tree[CONFLICT_FREE(kSegment - 1)] = 0;  // expect: shared store 1-way

#pragma unroll 1
  for (int active = 1; active < kSegment; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < active) {
      const int a = CONFLICT_FREE(offset * (2 * t + 1) - 1);
      const int b = CONFLICT_FREE(offset * (2 * t + 2) - 1);
      const float left = tree[a];   // expect: shared load 1-way
      const float right = tree[b];  // expect: shared load 1-way
      tree[a] = right;              // expect: shared store 1-way
      tree[b] = left + right;       // expect: shared store 1-way
    }
  }
  __syncthreads();
  out[first + t] = tree[CONFLICT_FREE(t)];                        // expect: shared load 1-way; global store 4 sectors/request
  out[first + t + kThreads] = tree[CONFLICT_FREE(t + kThreads)];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n, 19);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = i % kSegment ? expected[i - 1] + in[i - 1] : 0.0f;

  catalogue::Device<float> d_in(in), d_out(n);
  const dim3 grid = n / kSegment;
  const dim3 block = kThreads;
  scan_conflict_free<<<grid, block>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("exclusive scan", d_out.download(), expected);
  return catalogue::report("scan_conflict_free", ok);
}
