// The stride table: every lane of a warp reads a shared array at lane * STRIDE, strides 1 to 33, for elements of 1, 2,
// 4, 8 and 16 bytes. One launch an instantiation, one strided request a block.
//
// Degree of the strided load, s = STRIDE in elements:
//   4 bytes   word s * lane, bank s * lane mod 32: degree gcd(s, 32).
//   8 bytes   served as two half-warps; in one phase 16 lanes touch words 2 s * lane and the next one: gcd(s, 16).
//   16 bytes  served as four quarter-warps; in one phase 8 lanes touch four words each: gcd(s, 8).
//   2 bytes   word floor(s * lane / 2). Even s: gcd(s / 2, 32). s = 1: pairs share a word, 1-way. Odd s >= 3: the even
//             lanes fill 16 banks, the odd lanes 16 banks shifted by (s - 1) / 2; two sets of 16 out of 32 overlap
//             (2-way) unless the shift is the one that makes them complementary, which is s = 33.
//   1 byte    word floor(s * lane / 4). s = 1: four lanes share a word; s = 2: two do; s a multiple of 4: gcd(s / 4, 32);
//             otherwise the four residues of lane mod 4 each touch 8 banks, and the sets overlap at most pairwise:
//             1-way for s = 3 and 33, else 2-way.
// Wavefronts a request are phases times degree, phases = 1 up to 4 bytes, 2 for 8, 4 for 16 bytes (all phases of a
// request have the same degree):
//   float 32: 32 wavefronts (ideal 1) · double 16 and 32: 2 * 16 = 32 (ideal 2) · float4 8, 16, 32: 4 * 8 = 32 (ideal 4)
//
// Whole launch of one instantiation: 32 blocks of one warp.
//   strided load 32 requests; fill of the array: STRIDE requests a block, consecutive elements, 1-way
//   global loads of the fill and the store of the result: consecutive elements, aligned
//   (sizeof(T) sectors a request, at least 1)
//
// expect strided_load<float, 1>: shared load 1-way
// expect strided_load<float, 2>: shared load 2-way
// expect strided_load<float, 3>: shared load 1-way
// expect strided_load<float, 4>: shared load 4-way
// expect strided_load<float, 5>: shared load 1-way
// expect strided_load<float, 6>: shared load 2-way
// expect strided_load<float, 7>: shared load 1-way
// expect strided_load<float, 8>: shared load 8-way
// expect strided_load<float, 9>: shared load 1-way
// expect strided_load<float, 10>: shared load 2-way
// expect strided_load<float, 11>: shared load 1-way
// expect strided_load<float, 12>: shared load 4-way
// expect strided_load<float, 13>: shared load 1-way
// expect strided_load<float, 14>: shared load 2-way
// expect strided_load<float, 15>: shared load 1-way
// expect strided_load<float, 16>: shared load 16-way
// expect strided_load<float, 17>: shared load 1-way
// expect strided_load<float, 18>: shared load 2-way
// expect strided_load<float, 19>: shared load 1-way
// expect strided_load<float, 20>: shared load 4-way
// expect strided_load<float, 21>: shared load 1-way
// expect strided_load<float, 22>: shared load 2-way
// expect strided_load<float, 23>: shared load 1-way
// expect strided_load<float, 24>: shared load 8-way
// expect strided_load<float, 25>: shared load 1-way
// expect strided_load<float, 26>: shared load 2-way
// expect strided_load<float, 27>: shared load 1-way
// expect strided_load<float, 28>: shared load 4-way
// expect strided_load<float, 29>: shared load 1-way
// expect strided_load<float, 30>: shared load 2-way
// expect strided_load<float, 31>: shared load 1-way
// expect strided_load<float, 32>: shared load 32-way
// expect strided_load<float, 33>: shared load 1-way
// expect strided_load<double, 1>: shared load 1-way
// expect strided_load<double, 2>: shared load 2-way
// expect strided_load<double, 3>: shared load 1-way
// expect strided_load<double, 4>: shared load 4-way
// expect strided_load<double, 5>: shared load 1-way
// expect strided_load<double, 6>: shared load 2-way
// expect strided_load<double, 7>: shared load 1-way
// expect strided_load<double, 8>: shared load 8-way
// expect strided_load<double, 9>: shared load 1-way
// expect strided_load<double, 10>: shared load 2-way
// expect strided_load<double, 11>: shared load 1-way
// expect strided_load<double, 12>: shared load 4-way
// expect strided_load<double, 13>: shared load 1-way
// expect strided_load<double, 14>: shared load 2-way
// expect strided_load<double, 15>: shared load 1-way
// expect strided_load<double, 16>: shared load 16-way
// expect strided_load<double, 17>: shared load 1-way
// expect strided_load<double, 18>: shared load 2-way
// expect strided_load<double, 19>: shared load 1-way
// expect strided_load<double, 20>: shared load 4-way
// expect strided_load<double, 21>: shared load 1-way
// expect strided_load<double, 22>: shared load 2-way
// expect strided_load<double, 23>: shared load 1-way
// expect strided_load<double, 24>: shared load 8-way
// expect strided_load<double, 25>: shared load 1-way
// expect strided_load<double, 26>: shared load 2-way
// expect strided_load<double, 27>: shared load 1-way
// expect strided_load<double, 28>: shared load 4-way
// expect strided_load<double, 29>: shared load 1-way
// expect strided_load<double, 30>: shared load 2-way
// expect strided_load<double, 31>: shared load 1-way
// expect strided_load<double, 32>: shared load 16-way
// expect strided_load<double, 33>: shared load 1-way
// expect strided_load<float4, 1>: shared load 1-way
// expect strided_load<float4, 2>: shared load 2-way
// expect strided_load<float4, 3>: shared load 1-way
// expect strided_load<float4, 4>: shared load 4-way
// expect strided_load<float4, 5>: shared load 1-way
// expect strided_load<float4, 6>: shared load 2-way
// expect strided_load<float4, 7>: shared load 1-way
// expect strided_load<float4, 8>: shared load 8-way
// expect strided_load<float4, 9>: shared load 1-way
// expect strided_load<float4, 10>: shared load 2-way
// expect strided_load<float4, 11>: shared load 1-way
// expect strided_load<float4, 12>: shared load 4-way
// expect strided_load<float4, 13>: shared load 1-way
// expect strided_load<float4, 14>: shared load 2-way
// expect strided_load<float4, 15>: shared load 1-way
// expect strided_load<float4, 16>: shared load 8-way
// expect strided_load<float4, 17>: shared load 1-way
// expect strided_load<float4, 18>: shared load 2-way
// expect strided_load<float4, 19>: shared load 1-way
// expect strided_load<float4, 20>: shared load 4-way
// expect strided_load<float4, 21>: shared load 1-way
// expect strided_load<float4, 22>: shared load 2-way
// expect strided_load<float4, 23>: shared load 1-way
// expect strided_load<float4, 24>: shared load 8-way
// expect strided_load<float4, 25>: shared load 1-way
// expect strided_load<float4, 26>: shared load 2-way
// expect strided_load<float4, 27>: shared load 1-way
// expect strided_load<float4, 28>: shared load 4-way
// expect strided_load<float4, 29>: shared load 1-way
// expect strided_load<float4, 30>: shared load 2-way
// expect strided_load<float4, 31>: shared load 1-way
// expect strided_load<float4, 32>: shared load 8-way
// expect strided_load<float4, 33>: shared load 1-way
// expect strided_load<unsigned short, 1>: shared load 1-way
// expect strided_load<unsigned short, 2>: shared load 1-way
// expect strided_load<unsigned short, 3>: shared load 2-way
// expect strided_load<unsigned short, 4>: shared load 2-way
// expect strided_load<unsigned short, 5>: shared load 2-way
// expect strided_load<unsigned short, 6>: shared load 1-way
// expect strided_load<unsigned short, 7>: shared load 2-way
// expect strided_load<unsigned short, 8>: shared load 4-way
// expect strided_load<unsigned short, 9>: shared load 2-way
// expect strided_load<unsigned short, 10>: shared load 1-way
// expect strided_load<unsigned short, 11>: shared load 2-way
// expect strided_load<unsigned short, 12>: shared load 2-way
// expect strided_load<unsigned short, 13>: shared load 2-way
// expect strided_load<unsigned short, 14>: shared load 1-way
// expect strided_load<unsigned short, 15>: shared load 2-way
// expect strided_load<unsigned short, 16>: shared load 8-way
// expect strided_load<unsigned short, 17>: shared load 2-way
// expect strided_load<unsigned short, 18>: shared load 1-way
// expect strided_load<unsigned short, 19>: shared load 2-way
// expect strided_load<unsigned short, 20>: shared load 2-way
// expect strided_load<unsigned short, 21>: shared load 2-way
// expect strided_load<unsigned short, 22>: shared load 1-way
// expect strided_load<unsigned short, 23>: shared load 2-way
// expect strided_load<unsigned short, 24>: shared load 4-way
// expect strided_load<unsigned short, 25>: shared load 2-way
// expect strided_load<unsigned short, 26>: shared load 1-way
// expect strided_load<unsigned short, 27>: shared load 2-way
// expect strided_load<unsigned short, 28>: shared load 2-way
// expect strided_load<unsigned short, 29>: shared load 2-way
// expect strided_load<unsigned short, 30>: shared load 1-way
// expect strided_load<unsigned short, 31>: shared load 2-way
// expect strided_load<unsigned short, 32>: shared load 16-way
// expect strided_load<unsigned short, 33>: shared load 1-way
// expect strided_load<unsigned char, 1>: shared load 1-way
// expect strided_load<unsigned char, 2>: shared load 1-way
// expect strided_load<unsigned char, 3>: shared load 1-way
// expect strided_load<unsigned char, 4>: shared load 1-way
// expect strided_load<unsigned char, 5>: shared load 2-way
// expect strided_load<unsigned char, 6>: shared load 2-way
// expect strided_load<unsigned char, 7>: shared load 2-way
// expect strided_load<unsigned char, 8>: shared load 2-way
// expect strided_load<unsigned char, 9>: shared load 2-way
// expect strided_load<unsigned char, 10>: shared load 2-way
// expect strided_load<unsigned char, 11>: shared load 2-way
// expect strided_load<unsigned char, 12>: shared load 1-way
// expect strided_load<unsigned char, 13>: shared load 2-way
// expect strided_load<unsigned char, 14>: shared load 2-way
// expect strided_load<unsigned char, 15>: shared load 2-way
// expect strided_load<unsigned char, 16>: shared load 4-way
// expect strided_load<unsigned char, 17>: shared load 2-way
// expect strided_load<unsigned char, 18>: shared load 2-way
// expect strided_load<unsigned char, 19>: shared load 2-way
// expect strided_load<unsigned char, 20>: shared load 1-way
// expect strided_load<unsigned char, 21>: shared load 2-way
// expect strided_load<unsigned char, 22>: shared load 2-way
// expect strided_load<unsigned char, 23>: shared load 2-way
// expect strided_load<unsigned char, 24>: shared load 2-way
// expect strided_load<unsigned char, 25>: shared load 2-way
// expect strided_load<unsigned char, 26>: shared load 2-way
// expect strided_load<unsigned char, 27>: shared load 2-way
// expect strided_load<unsigned char, 28>: shared load 1-way
// expect strided_load<unsigned char, 29>: shared load 2-way
// expect strided_load<unsigned char, 30>: shared load 2-way
// expect strided_load<unsigned char, 31>: shared load 2-way
// expect strided_load<unsigned char, 32>: shared load 8-way
// expect strided_load<unsigned char, 33>: shared load 1-way
#include <cstring>
#include <utility>

#include "catalogue.h"

constexpr int kBlocks = 32;

template <typename T, int STRIDE>
__global__ void strided_load(const T *__restrict__ in, T *__restrict__ out) {
  __shared__ T line[32 * STRIDE];
  const int lane = threadIdx.x;
  for (int i = lane; i < 32 * STRIDE; i += 32) line[i] = in[i];  // expect: shared store 1-way
  __syncthreads();
  out[blockIdx.x * 32 + lane] = line[lane * STRIDE];
}

template <typename T, int STRIDE>
static bool run_stride(const catalogue::Device<T> &in, const std::vector<T> &host) {
  catalogue::Device<T> out(kBlocks * 32);
  strided_load<T, STRIDE><<<kBlocks, 32>>>(in, out);
  CHECK_LAUNCH();
  const std::vector<T> result = out.download();
  bool ok = true;
  for (int i = 0; i < kBlocks * 32; ++i) ok = std::memcmp(&result[i], &host[(i % 32) * STRIDE], sizeof(T)) == 0 && ok;
  return ok;
}

template <typename T, int... STRIDE>
static bool run_type(const char *name, std::integer_sequence<int, STRIDE...>) {
  std::vector<T> host(32 * 33);
  const std::vector<unsigned char> bytes = catalogue::random_integers<unsigned char>(host.size() * sizeof(T), 256, 7);
  std::memcpy(static_cast<void *>(host.data()), bytes.data(), bytes.size());
  const catalogue::Device<T> in(host);
  const bool ok = (run_stride<T, STRIDE + 1>(in, host) & ...);
  std::printf("  %-32s strides 1 to 33: %s\n", name, ok ? "ok" : "WRONG");
  return ok;
}

int main() {
  constexpr auto strides = std::make_integer_sequence<int, 33>();
  bool ok = run_type<float>("float", strides);
  ok = run_type<double>("double", strides) && ok;
  ok = run_type<float4>("float4", strides) && ok;
  ok = run_type<unsigned short>("unsigned short", strides) && ok;
  ok = run_type<unsigned char>("unsigned char", strides) && ok;
  return catalogue::report("stride_table", ok);
}
