// Bitonic sort of 1,024 keys in shared memory by 512 threads. Thread t compares the words low = 2 t - (t mod j) and
// low + j; j runs over k / 2, ..., 1 for k = 2, 4, ..., 1,024: 55 steps. Both words are always written back (smaller and
// larger), so no mask depends on the data.
//
//   j = 1, 2, 4, 8, 16   the lanes of a warp take blocks of j words with gaps of j: 32 words out of 64, which fill half of
//                        the banks with two words each: 2-way
//   j = 32 and more      32 consecutive words: 1-way
//   Steps with j <= 16: 1 + 2 + 3 + 4 + 6 * 5 = 40; the other 15 are conflict-free.
//
// Whole launch, 2^20 keys, 1,024 blocks of 16 warps: each of the two loads and two stores of a step: 16 * 55 = 880
// requests a block, 901,120 in all; 16 * (40 * 2 + 15) = 1,520 wavefronts a block, 1,556,480 in all (ideal 901,120).
// The loops are kept rolled: unrolled, j = 1 could merge its two neighbouring words into one 8-byte access.
// Copy in and out, words t and t + 512: 16,384 requests a site, 1 wavefront, 4 sectors.
#include <algorithm>

#include "catalogue.h"

constexpr int kKeys = 1024;
constexpr int kThreads = kKeys / 2;

__global__ void bitonic_sort(unsigned *keys) {
  __shared__ unsigned s[kKeys];
  const int t = threadIdx.x;
  keys += blockIdx.x * kKeys;
  s[t] = keys[t];                        // expect: global load 4 sectors/request; shared store 1-way
  s[t + kThreads] = keys[t + kThreads];  // expect: global load 4 sectors/request; shared store 1-way
#pragma unroll 1
  for (int k = 2; k <= kKeys; k *= 2) {
#pragma unroll 1
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (j - 1));
      const unsigned a = s[low];      // expect: shared load 2-way
      const unsigned b = s[low + j];  // expect: shared load 2-way
      const bool ascending = (low & k) == 0;
      const unsigned smaller = a < b ? a : b;
      const unsigned larger = a < b ? b : a;
      s[low] = ascending ? smaller : larger;      // expect: shared store 2-way
      s[low + j] = ascending ? larger : smaller;  // expect: shared store 2-way
    }
  }
  __syncthreads();
  keys[t] = s[t];                        // expect: shared load 1-way; global store 4 sectors/request
  keys[t + kThreads] = s[t + kThreads];  // expect: shared load 1-way; global store 4 sectors/request
}

int main() {
  const int n = 1 << 20;
  std::vector<unsigned> keys = catalogue::random_integers<unsigned>(n, 0xffffffffu, 21);
  catalogue::Device<unsigned> d_keys(keys);
  bitonic_sort<<<n / kKeys, kThreads>>>(d_keys);
  CHECK_LAUNCH();
  for (int first = 0; first < n; first += kKeys) std::sort(keys.begin() + first, keys.begin() + first + kKeys);
  const bool ok = catalogue::compare("sorted segments", d_keys.download(), keys);
  return catalogue::report("bitonic_sort", ok);
}
