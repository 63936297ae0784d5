// The stride table for stores: every lane of a warp writes a shared array at lane * STRIDE, strides 1 to 33, for
// elements of 1, 2, 4, 8 and 16 bytes. The lanes read one another's element back in reversed order, so the load touches
// the same words as the store.
//
// Degree of the strided store, s = STRIDE in elements (lanes writing different bytes of one word do not conflict):
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
// Whole launch of one instantiation: 32 blocks of one warp; strided store 32 requests, strided load 32 requests of the
// same degree. Global load and store: consecutive elements, aligned (sizeof(T) sectors a request, at least 1).
//
// expect strided_store<float, 1>: shared store 1-way
// expect strided_store<float, 2>: shared store 2-way
// expect strided_store<float, 3>: shared store 1-way
// expect strided_store<float, 4>: shared store 4-way
// expect strided_store<float, 5>: shared store 1-way
// expect strided_store<float, 6>: shared store 2-way
// expect strided_store<float, 7>: shared store 1-way
// expect strided_store<float, 8>: shared store 8-way
// expect strided_store<float, 9>: shared store 1-way
// expect strided_store<float, 10>: shared store 2-way
// expect strided_store<float, 11>: shared store 1-way
// expect strided_store<float, 12>: shared store 4-way
// expect strided_store<float, 13>: shared store 1-way
// expect strided_store<float, 14>: shared store 2-way
// expect strided_store<float, 15>: shared store 1-way
// expect strided_store<float, 16>: shared store 16-way
// expect strided_store<float, 17>: shared store 1-way
// expect strided_store<float, 18>: shared store 2-way
// expect strided_store<float, 19>: shared store 1-way
// expect strided_store<float, 20>: shared store 4-way
// expect strided_store<float, 21>: shared store 1-way
// expect strided_store<float, 22>: shared store 2-way
// expect strided_store<float, 23>: shared store 1-way
// expect strided_store<float, 24>: shared store 8-way
// expect strided_store<float, 25>: shared store 1-way
// expect strided_store<float, 26>: shared store 2-way
// expect strided_store<float, 27>: shared store 1-way
// expect strided_store<float, 28>: shared store 4-way
// expect strided_store<float, 29>: shared store 1-way
// expect strided_store<float, 30>: shared store 2-way
// expect strided_store<float, 31>: shared store 1-way
// expect strided_store<float, 32>: shared store 32-way
// expect strided_store<float, 33>: shared store 1-way
// expect strided_store<double, 1>: shared store 1-way
// expect strided_store<double, 2>: shared store 2-way
// expect strided_store<double, 3>: shared store 1-way
// expect strided_store<double, 4>: shared store 4-way
// expect strided_store<double, 5>: shared store 1-way
// expect strided_store<double, 6>: shared store 2-way
// expect strided_store<double, 7>: shared store 1-way
// expect strided_store<double, 8>: shared store 8-way
// expect strided_store<double, 9>: shared store 1-way
// expect strided_store<double, 10>: shared store 2-way
// expect strided_store<double, 11>: shared store 1-way
// expect strided_store<double, 12>: shared store 4-way
// expect strided_store<double, 13>: shared store 1-way
// expect strided_store<double, 14>: shared store 2-way
// expect strided_store<double, 15>: shared store 1-way
// expect strided_store<double, 16>: shared store 16-way
// expect strided_store<double, 17>: shared store 1-way
// expect strided_store<double, 18>: shared store 2-way
// expect strided_store<double, 19>: shared store 1-way
// expect strided_store<double, 20>: shared store 4-way
// expect strided_store<double, 21>: shared store 1-way
// expect strided_store<double, 22>: shared store 2-way
// expect strided_store<double, 23>: shared store 1-way
// expect strided_store<double, 24>: shared store 8-way
// expect strided_store<double, 25>: shared store 1-way
// expect strided_store<double, 26>: shared store 2-way
// expect strided_store<double, 27>: shared store 1-way
// expect strided_store<double, 28>: shared store 4-way
// expect strided_store<double, 29>: shared store 1-way
// expect strided_store<double, 30>: shared store 2-way
// expect strided_store<double, 31>: shared store 1-way
// expect strided_store<double, 32>: shared store 16-way
// expect strided_store<double, 33>: shared store 1-way
// expect strided_store<float4, 1>: shared store 1-way
// expect strided_store<float4, 2>: shared store 2-way
// expect strided_store<float4, 3>: shared store 1-way
// expect strided_store<float4, 4>: shared store 4-way
// expect strided_store<float4, 5>: shared store 1-way
// expect strided_store<float4, 6>: shared store 2-way
// expect strided_store<float4, 7>: shared store 1-way
// expect strided_store<float4, 8>: shared store 8-way
// expect strided_store<float4, 9>: shared store 1-way
// expect strided_store<float4, 10>: shared store 2-way
// expect strided_store<float4, 11>: shared store 1-way
// expect strided_store<float4, 12>: shared store 4-way
// expect strided_store<float4, 13>: shared store 1-way
// expect strided_store<float4, 14>: shared store 2-way
// expect strided_store<float4, 15>: shared store 1-way
// expect strided_store<float4, 16>: shared store 8-way
// expect strided_store<float4, 17>: shared store 1-way
// expect strided_store<float4, 18>: shared store 2-way
// expect strided_store<float4, 19>: shared store 1-way
// expect strided_store<float4, 20>: shared store 4-way
// expect strided_store<float4, 21>: shared store 1-way
// expect strided_store<float4, 22>: shared store 2-way
// expect strided_store<float4, 23>: shared store 1-way
// expect strided_store<float4, 24>: shared store 8-way
// expect strided_store<float4, 25>: shared store 1-way
// expect strided_store<float4, 26>: shared store 2-way
// expect strided_store<float4, 27>: shared store 1-way
// expect strided_store<float4, 28>: shared store 4-way
// expect strided_store<float4, 29>: shared store 1-way
// expect strided_store<float4, 30>: shared store 2-way
// expect strided_store<float4, 31>: shared store 1-way
// expect strided_store<float4, 32>: shared store 8-way
// expect strided_store<float4, 33>: shared store 1-way
// expect strided_store<unsigned short, 1>: shared store 1-way
// expect strided_store<unsigned short, 2>: shared store 1-way
// expect strided_store<unsigned short, 3>: shared store 2-way
// expect strided_store<unsigned short, 4>: shared store 2-way
// expect strided_store<unsigned short, 5>: shared store 2-way
// expect strided_store<unsigned short, 6>: shared store 1-way
// expect strided_store<unsigned short, 7>: shared store 2-way
// expect strided_store<unsigned short, 8>: shared store 4-way
// expect strided_store<unsigned short, 9>: shared store 2-way
// expect strided_store<unsigned short, 10>: shared store 1-way
// expect strided_store<unsigned short, 11>: shared store 2-way
// expect strided_store<unsigned short, 12>: shared store 2-way
// expect strided_store<unsigned short, 13>: shared store 2-way
// expect strided_store<unsigned short, 14>: shared store 1-way
// expect strided_store<unsigned short, 15>: shared store 2-way
// expect strided_store<unsigned short, 16>: shared store 8-way
// expect strided_store<unsigned short, 17>: shared store 2-way
// expect strided_store<unsigned short, 18>: shared store 1-way
// expect strided_store<unsigned short, 19>: shared store 2-way
// expect strided_store<unsigned short, 20>: shared store 2-way
// expect strided_store<unsigned short, 21>: shared store 2-way
// expect strided_store<unsigned short, 22>: shared store 1-way
// expect strided_store<unsigned short, 23>: shared store 2-way
// expect strided_store<unsigned short, 24>: shared store 4-way
// expect strided_store<unsigned short, 25>: shared store 2-way
// expect strided_store<unsigned short, 26>: shared store 1-way
// expect strided_store<unsigned short, 27>: shared store 2-way
// expect strided_store<unsigned short, 28>: shared store 2-way
// expect strided_store<unsigned short, 29>: shared store 2-way
// expect strided_store<unsigned short, 30>: shared store 1-way
// expect strided_store<unsigned short, 31>: shared store 2-way
// expect strided_store<unsigned short, 32>: shared store 16-way
// expect strided_store<unsigned short, 33>: shared store 1-way
// expect strided_store<unsigned char, 1>: shared store 1-way
// expect strided_store<unsigned char, 2>: shared store 1-way
// expect strided_store<unsigned char, 3>: shared store 1-way
// expect strided_store<unsigned char, 4>: shared store 1-way
// expect strided_store<unsigned char, 5>: shared store 2-way
// expect strided_store<unsigned char, 6>: shared store 2-way
// expect strided_store<unsigned char, 7>: shared store 2-way
// expect strided_store<unsigned char, 8>: shared store 2-way
// expect strided_store<unsigned char, 9>: shared store 2-way
// expect strided_store<unsigned char, 10>: shared store 2-way
// expect strided_store<unsigned char, 11>: shared store 2-way
// expect strided_store<unsigned char, 12>: shared store 1-way
// expect strided_store<unsigned char, 13>: shared store 2-way
// expect strided_store<unsigned char, 14>: shared store 2-way
// expect strided_store<unsigned char, 15>: shared store 2-way
// expect strided_store<unsigned char, 16>: shared store 4-way
// expect strided_store<unsigned char, 17>: shared store 2-way
// expect strided_store<unsigned char, 18>: shared store 2-way
// expect strided_store<unsigned char, 19>: shared store 2-way
// expect strided_store<unsigned char, 20>: shared store 1-way
// expect strided_store<unsigned char, 21>: shared store 2-way
// expect strided_store<unsigned char, 22>: shared store 2-way
// expect strided_store<unsigned char, 23>: shared store 2-way
// expect strided_store<unsigned char, 24>: shared store 2-way
// expect strided_store<unsigned char, 25>: shared store 2-way
// expect strided_store<unsigned char, 26>: shared store 2-way
// expect strided_store<unsigned char, 27>: shared store 2-way
// expect strided_store<unsigned char, 28>: shared store 1-way
// expect strided_store<unsigned char, 29>: shared store 2-way
// expect strided_store<unsigned char, 30>: shared store 2-way
// expect strided_store<unsigned char, 31>: shared store 2-way
// expect strided_store<unsigned char, 32>: shared store 8-way
// expect strided_store<unsigned char, 33>: shared store 1-way
#include <cstring>

#include "catalogue.h"

constexpr int kBlocks = 32;
constexpr int kMaxStride = 33;

template <typename T, int STRIDE>
__global__ void strided_store(const T *__restrict__ in, T *__restrict__ out) {
  __shared__ T line[32 * STRIDE];
  const int lane = threadIdx.x;
  line[lane * STRIDE] = in[blockIdx.x * 32 + lane];
  __syncthreads();
  out[blockIdx.x * 32 + lane] = line[(31 - lane) * STRIDE];
}

// Runs STRIDE, STRIDE + 1, ... up to the last stride of the table.
template <typename T, int STRIDE>
static bool run_from(const catalogue::Device<T> &in, const std::vector<T> &host) {
  catalogue::Device<T> out(kBlocks * 32);
  strided_store<T, STRIDE><<<kBlocks, 32>>>(in, out);
  CHECK_LAUNCH();
  const std::vector<T> result = out.download();
  bool ok = true;
  for (int i = 0; i < kBlocks * 32; ++i) ok = std::memcmp(&result[i], &host[i ^ 31], sizeof(T)) == 0 && ok;
  if constexpr (STRIDE < kMaxStride) ok = run_from<T, STRIDE + 1>(in, host) && ok;
  return ok;
}

template <typename T>
static bool run_type(const char *name) {
  std::vector<T> host(kBlocks * 32);
  const std::vector<unsigned char> bytes = catalogue::random_integers<unsigned char>(host.size() * sizeof(T), 256, 8);
  std::memcpy(static_cast<void *>(host.data()), bytes.data(), bytes.size());
  const catalogue::Device<T> in(host);
  const bool ok = run_from<T, 1>(in, host);
  std::printf("  %-32s strides 1 to 33: %s\n", name, ok ? "ok" : "WRONG");
  return ok;
}

int main() {
  bool ok = run_type<float>("float");
  ok = run_type<double>("double") && ok;
  ok = run_type<float4>("float4") && ok;
  ok = run_type<unsigned short>("unsigned short") && ok;
  ok = run_type<unsigned char>("unsigned char") && ok;
  return catalogue::report("stride_table_store", ok);
}
