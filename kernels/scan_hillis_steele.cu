// Inclusive scan after Hillis and Steele: log2(n) steps, every thread adds the element `distance` to its left, two
// buffers take turns. More additions than the tree scan, but every access is to consecutive words.
//
//   buffer[from][t]             32 consecutive words: 1-way
//   buffer[from][t - distance]  consecutive words of the active lanes: 1-way
//   buffer[1 - from][t]         1-way
//   The second buffer starts 512 words after the first: the banks of t do not depend on the buffer.
//
// Whole launch, 2^20 elements in segments of 512: 2,048 blocks of 16 warps, 9 steps (distance 1 .. 256).
//   Own load and store: 16 * 9 = 144 requests a block (294,912 each), 1 wavefront each.
//   Load at the distance: the warps that have a lane t >= distance: 16 for each of 1, 2, 4, 8, 16, then 15, 14, 12, 8:
//   129 requests a block, 264,192 in all, 1 wavefront each.
//   First store and last load: 32,768 requests each; global load and store 32,768 requests, 131,072 sectors each.
#include "catalogue.h"

constexpr int kSegment = 512;

__global__ void scan_hillis_steele(const float *in, float *out) {
  __shared__ float buffer[2][kSegment];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kSegment + t;
  int from = 0;
  buffer[from][t] = in[i];  // expect: global load 4 sectors/request; shared store 1-way
  __syncthreads();  // expect: shared load assumed
  for (int distance = 1; distance < kSegment; distance *= 2) {
    float sum = buffer[from][t];  // nvcc moves it before the loop's test, and counts it with the barriers
    if (t >= distance) sum += buffer[from][t - distance];  // expect: shared load 1-way; shared load assumed
    from = 1 - from;
    buffer[from][t] = sum;  // expect: shared store 1-way
    __syncthreads();  // expect: shared load assumed
  }
  out[i] = buffer[from][t];  // expect: global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> in = catalogue::random_values(n, 17);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[i] + (i % kSegment ? expected[i - 1] : 0.0f);

  catalogue::Device<float> d_in(in), d_out(n);
  const int blocks = n / kSegment;
  scan_hillis_steele<<<blocks, kSegment>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("inclusive scan", d_out.download(), expected);
  return catalogue::report("scan_hillis_steele", ok);
}
