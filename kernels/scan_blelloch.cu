// Work-efficient exclusive scan after Blelloch: an up-sweep and a down-sweep over a balanced tree in shared memory. Thread
// t of a step works on words offset * (2 t + 1) - 1 and offset * (2 t + 2) - 1: lanes are 2 * offset words apart.
//
//     offset      1    2    4    8    16   32   64  128  256  512
//     threads   512  256  128   64    32   16    8    4    2    1
//     warps      16    8    4    2     1    1    1    1    1    1
//     degree      2    4    8   16    32   16    8    4    2    1
//     wavefronts 32   32   32   32    32   16    8    4    2    1   = 191 for 36 requests (ideal 36)
//
// Up-sweep: two loads and one store, down-sweep: two loads and two stores a step, each with the figures above a block.
// The degree of each of these lines is 32-way (offset 16). The loops are kept rolled: unrolled, the step at offset 1
// could merge its two neighbouring words into one conflict-free 8-byte access.
//
// Whole launch, 2^20 elements in segments of 1,024: 1,024 blocks of 512 threads (16 warps). Each tree site: 36,864
// requests, 195,584 wavefronts. Two elements a thread come in and go out at t and t + 512: 16,384 requests a site,
// 1 wavefront, 4 sectors. Clearing the root: 1,024 requests of one lane.
#include "catalogue.h"

constexpr int kSegment = 1024;
constexpr int kThreads = kSegment / 2;

__global__ void scan_blelloch(const float *in, float *out) {
  __shared__ float tree[kSegment];
  const int t = threadIdx.x;
  in += blockIdx.x * kSegment;
  out += blockIdx.x * kSegment;
  tree[t] = in[t];                        // expect: global load 4 sectors/request; shared store 1-way
  tree[t + kThreads] = in[t + kThreads];  // expect: global load 4 sectors/request; shared store 1-way

  int offset = 1;
#pragma unroll 1
  for (int active = kThreads; active > 0; active >>= 1) {
    __syncthreads();
    if (t < active) {
      const int a = offset * (2 * t + 1) - 1;
      const int b = offset * (2 * t + 2) - 1;
      const float left = tree[a];   // expect: shared load 32-way
      const float right = tree[b];  // expect: shared load 32-way
      tree[b] = left + right;       // expect: shared store 32-way
    }
    offset *= 2;
  }
  if (t == 0) tree[kSegment - 1] = 0;  // expect: shared store 1-way

#pragma unroll 1
  for (int active = 1; active < kSegment; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < active) {
      const int a = offset * (2 * t + 1) - 1;
      const int b = offset * (2 * t + 2) - 1;
      const float left = tree[a];   // expect: shared load 32-way
      const float right = tree[b];  // expect: shared load 32-way
      tree[a] = right;              // expect: shared store 32-way
      tree[b] = left + right;       // expect: shared store 32-way
    }
  }
  __syncthreads();
  out[t] = tree[t];                        // expect: shared load 1-way; global store 4 sectors/request
  out[t + kThreads] = tree[t + kThreads];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n, 18);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = i % kSegment ? expected[i - 1] + in[i - 1] : 0.0f;

  catalogue::Device<float> d_in(in), d_out(n);
  scan_blelloch<<<n / kSegment, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("exclusive scan", d_out.download(), expected);
  return catalogue::report("scan_blelloch", ok);
}
