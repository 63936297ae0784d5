// The XOR swizzle of 16-byte chunks that precedes ldmatrix: a 64 x 64 tile of fp16, 128 bytes = 8 chunks a row. A row starts
// in bank 0, so chunk c of any row covers banks 4 c .. 4 c + 3.
//
//   store, 16 bytes a lane: a quarter-warp of 8 lanes is one row, 8 different chunks: 1-way, with or without swizzle
//     (4 wavefronts, ideal 4)
//   ldmatrix.x4: each group of 8 lanes names one chunk of 8 consecutive rows.
//     load_fragments<false>  the same chunk of 8 rows, all in the same four banks: 8-way, 4 groups * 8 = 32 wavefronts
//     load_fragments<true>   chunk c of row r is kept at c ^ (r mod 8): 8 different chunks: 1-way, 4 wavefronts
//
// Whole launch of each, 256 blocks of 4 warps: tile load and store 256 * 4 * 4 = 4,096 requests, 65,536 sectors, 16,384
// wavefronts; ldmatrix 4,096 requests, 131,072 or 16,384 wavefronts; result, four words a lane: 16,384 requests, 4 sectors each.
//
// expect load_fragments<false>: shared matrix_load 8-way
// expect load_fragments<true>: shared matrix_load 1-way
#include "catalogue.h"

constexpr int kSize = 64;           // rows, and elements a row
constexpr int kChunks = kSize / 8;  // 16-byte chunks a row
constexpr int kThreads = 128;
constexpr int kBlocks = 256;

template <bool SWIZZLED>
__device__ __forceinline__ int chunk_at(int row, int chunk) {
  return row * kChunks + (SWIZZLED ? chunk ^ (row % 8) : chunk);
}

template <bool SWIZZLED>
__global__ void load_fragments(const uint4 *__restrict__ in, unsigned *__restrict__ out) {
  __shared__ uint4 tile[kSize * kChunks];
  in += blockIdx.x * kSize * kChunks;
  for (int i = threadIdx.x; i < kSize * kChunks; i += kThreads)
    tile[chunk_at<SWIZZLED>(i / kChunks, i % kChunks)] = in[i];  // expect: global load 16 sectors/request; shared store 1-way
  __syncthreads();

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = warp * 16 + lane % 16;
  out += (blockIdx.x * 4 + warp) * 4 * 4 * 32 + lane;
#pragma unroll
  for (int step = 0; step < kSize / 16; ++step) {
    const int chunk = 2 * step + lane / 16;
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[chunk_at<SWIZZLED>(row, chunk)]));
    unsigned r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(address)
                 : "memory");
    out[(step * 4 + 0) * 32] = r0;  // expect: global store 4 sectors/request
    out[(step * 4 + 1) * 32] = r1;  // expect: global store 4 sectors/request
    out[(step * 4 + 2) * 32] = r2;  // expect: global store 4 sectors/request
    out[(step * 4 + 3) * 32] = r3;  // expect: global store 4 sectors/request
  }
}

template <bool SWIZZLED>
static bool run(const char *name, const std::vector<unsigned short> &in, const std::vector<unsigned> &expected) {
  catalogue::Device<unsigned short> d_in(in);
  catalogue::Device<unsigned> d_out(expected.size());
  load_fragments<SWIZZLED><<<kBlocks, kThreads>>>(reinterpret_cast<const uint4 *>(d_in.get()), d_out);
  CHECK_LAUNCH();
  return catalogue::compare(name, d_out.download(), expected);
}

int main() {
  const std::vector<unsigned short> in = catalogue::random_integers<unsigned short>(kBlocks * kSize * kSize, 65536, 33);
  // Register m of a lane holds two neighbours of 8 x 8 matrix m: row lane / 4, columns 2 * (lane % 4) and the next.
  std::vector<unsigned> expected;
  for (int b = 0; b < kBlocks; ++b)
    for (int warp = 0; warp < 4; ++warp)
      for (int step = 0; step < 4; ++step)
        for (int m = 0; m < 4; ++m)
          for (int lane = 0; lane < 32; ++lane) {
            const int row = warp * 16 + m % 2 * 8 + lane / 4;
            const int column = step * 16 + m / 2 * 8 + lane % 4 * 2;
            const std::size_t at = (static_cast<std::size_t>(b) * kSize + row) * kSize + column;
            expected.push_back(in[at] | static_cast<unsigned>(in[at + 1]) << 16);
          }
  bool ok = run<false>("plain", in, expected);
  ok = run<true>("swizzled", in, expected) && ok;
  return catalogue::report("swizzle_half8", ok);
}
