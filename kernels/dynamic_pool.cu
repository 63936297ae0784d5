// Several arrays of different element types carved out of one dynamic pool, in the order double, float, unsigned short,
// unsigned char, so that each is aligned:
//     byte 0      double sums[128]        1,024 bytes
//     byte 1,024  float tile[32][33]      4,224 bytes
//     byte 5,248  unsigned short order[128] 256 bytes
//     byte 5,504  unsigned char negate[128] 128 bytes     pool: 5,632 bytes
//
// 128 threads add up the columns of a 32 x 32 tile in four parts of eight rows, then read the sums back in a shuffled order
// that is itself kept in the pool.
//   tile store   row uniform, 32 consecutive words: 1-way
//   tile load    words 33 * lane + row, row uniform: banks lane + row: 1-way (pitch 33 is odd, so the eight neighbours of a
//                thread have no common alignment and stay single words)
//   order        32 consecutive 2-byte elements, two to a word, 16 words: 1-way
//   negate       32 consecutive bytes, 8 words: 1-way; read at order[t]: the whole array has only 32 words, one a bank: 1-way
//   sums[t]      two half-warps of 16 consecutive doubles: 1-way, 2 wavefronts
//   sums[order[t]], order[t] = 37 t mod 128: in a half-warp 16 doubles 37 apart, gcd(37, 16) = 1: 1-way, 2 wavefronts
//
// Whole launch, 1,024 blocks of 4 warps: tile store 32,768 requests, tile load 32,768 requests, 1 wavefront each; order,
// negate, sums: 4,096 requests a site. Global load 32,768 requests, 131,072 sectors; result (double) 4,096 requests, 32,768
// sectors.
#include "catalogue.h"

constexpr int kThreads = 128;
constexpr int kTile = 32;
constexpr int kPitch = kTile + 1;
constexpr int kRowsPerPart = kTile / (kThreads / kTile);

constexpr std::size_t kSumsAt = 0;
constexpr std::size_t kTileAt = kSumsAt + kThreads * sizeof(double);
constexpr std::size_t kOrderAt = kTileAt + kTile * kPitch * sizeof(float);
constexpr std::size_t kNegateAt = kOrderAt + kThreads * sizeof(unsigned short);
constexpr std::size_t kPoolBytes = kNegateAt + kThreads;

__global__ void dynamic_pool(const float *in, double *out) {
  extern __shared__ __align__(16) unsigned char pool[];
  double *sums = reinterpret_cast<double *>(pool + kSumsAt);
  float *tile = reinterpret_cast<float *>(pool + kTileAt);
  unsigned short *order = reinterpret_cast<unsigned short *>(pool + kOrderAt);
  unsigned char *negate = pool + kNegateAt;

  const int t = threadIdx.x;
  const int lane = t % kTile, part = t / kTile;
  in += blockIdx.x * kTile * kTile;
  for (int row = part; row < kTile; row += kThreads / kTile)
    tile[row * kPitch + lane] = in[row * kTile + lane];  // expect: global load 4 sectors/request; shared store 1-way
  order[t] = static_cast<unsigned short>(t * 37 % kThreads);  // expect: shared store 1-way
  negate[t] = t % 3 == 0;                                     // expect: shared store 1-way
  __syncthreads();

  // Lane c of part p: the sum over rows 8 p .. 8 p + 7 of the transposed tile's column c.
  double sum = 0;
  for (int i = 0; i < kRowsPerPart; ++i) {
    const int column = part * kRowsPerPart + i;
    sum += tile[lane * kPitch + column];  // expect: shared load 1-way
  }
  sums[t] = sum;  // expect: shared store 1-way
  __syncthreads();

  const int from = order[t];         // expect: shared load 1-way
  const double value = sums[from];   // expect: shared load 1-way
  const bool minus = negate[from];   // expect: shared load 1-way
  out[blockIdx.x * kThreads + t] = minus ? -value : value;  // expect: global store 8 sectors/request
}

int main() {
  const int blocks = 1024;
  const std::vector<float> in = catalogue::random_values(blocks * kTile * kTile, 31);
  std::vector<double> expected(blocks * kThreads);
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      const int from = t * 37 % kThreads;
      double sum = 0;
      for (int i = 0; i < kRowsPerPart; ++i)
        sum += in[b * kTile * kTile + from % kTile * kTile + from / kTile * kRowsPerPart + i];
      expected[b * kThreads + t] = from % 3 == 0 ? -sum : sum;
    }

  catalogue::Device<float> d_in(in);
  catalogue::Device<double> d_out(expected.size());
  const std::size_t bytes = kPoolBytes;
  dynamic_pool<<<blocks, kThreads, bytes>>>(d_in, d_out);
  CHECK_LAUNCH();
  const bool ok = catalogue::compare("shuffled sums", d_out.download(), expected);
  return catalogue::report("dynamic_pool", ok);
}
