// Broadcasts: lanes that read the same 32-bit word never conflict, however many they are and whatever part of the word
// they want. Only different words of one bank do.
//
// Each pattern gives the element that a lane reads from a row of the tile; every block reads 16 rows, 128 words apart
// for float (so that the bank of a lane does not depend on the row and no two reads are neighbours).
//
//   one_word          every lane word 0                                        1 word in bank 0: 1-way
//   two_words         lane & 1: words 0 and 1, two banks                       1-way
//   two_words_a_bank  (lane & 1) * 32: words 0 and 32, one bank                2-way
//   half_warps        lane / 16: words 0 and 1                                 1-way
//   half_warps_a_bank (lane / 16) * 32: words 0 and 32                         2-way
//   quarters_a_bank   (lane / 8) * 32: words 0, 32, 64, 96                     4-way
//   pairs             lane / 2: 16 words, 16 banks                             1-way
//   halves_of_words   unsigned short, lane: 16 words shared by pairs           1-way
//   bytes_of_words    unsigned char, lane: 8 words shared by fours             1-way
//   bytes_one_word    unsigned char, lane & 3: one word                        1-way
//   one_double        double, every lane element 0: words 0 and 1              1-way
//   half_warp_doubles double, (lane / 16) * 16: words 0, 1 in one half-warp and
//                     32, 33 in the other: the halves are separate phases      1-way
//   two_doubles       double, (lane & 1) * 16: words 0, 1, 32, 33 in one phase 2-way
//
// Requests and wavefronts of the shared load: 64 blocks of one warp, 16 rows: 1,024 requests; wavefronts = 1,024 times
// the degree up to 4 bytes. (For 8 bytes the number of phases depends on which lanes the hardware pairs: the degree is
// certain, the wavefronts are between 1 and 2 times 1,024 times the degree.)
// Filling: consecutive 4-byte words, 1-way. Global memory: consecutive words, 4 sectors a request.
//
// expect broadcast_read<one_word>: shared load 1-way
// expect broadcast_read<two_words>: shared load 1-way
// expect broadcast_read<two_words_a_bank>: shared load 2-way
// expect broadcast_read<half_warps>: shared load 1-way
// expect broadcast_read<half_warps_a_bank>: shared load 2-way
// expect broadcast_read<quarters_a_bank>: shared load 4-way
// expect broadcast_read<pairs>: shared load 1-way
// expect broadcast_read<halves_of_words>: shared load 1-way
// expect broadcast_read<bytes_of_words>: shared load 1-way
// expect broadcast_read<bytes_one_word>: shared load 1-way
// expect broadcast_read<one_double>: shared load 1-way
// expect broadcast_read<half_warp_doubles>: shared load 1-way
// expect broadcast_read<two_doubles>: shared load 2-way
#include "catalogue.h"

struct one_word { using element = float; static __host__ __device__ int at(int) { return 0; } };
struct two_words { using element = float; static __host__ __device__ int at(int lane) { return lane & 1; } };
struct two_words_a_bank { using element = float; static __host__ __device__ int at(int lane) { return (lane & 1) * 32; } };
struct half_warps { using element = float; static __host__ __device__ int at(int lane) { return lane / 16; } };
struct half_warps_a_bank { using element = float; static __host__ __device__ int at(int lane) { return lane / 16 * 32; } };
struct quarters_a_bank { using element = float; static __host__ __device__ int at(int lane) { return lane / 8 * 32; } };
struct pairs { using element = float; static __host__ __device__ int at(int lane) { return lane / 2; } };
struct halves_of_words { using element = unsigned short; static __host__ __device__ int at(int lane) { return lane; } };
struct bytes_of_words { using element = unsigned char; static __host__ __device__ int at(int lane) { return lane; } };
struct bytes_one_word { using element = unsigned char; static __host__ __device__ int at(int lane) { return lane & 3; } };
struct one_double { using element = double; static __host__ __device__ int at(int) { return 0; } };
struct half_warp_doubles { using element = double; static __host__ __device__ int at(int lane) { return lane / 16 * 16; } };
struct two_doubles { using element = double; static __host__ __device__ int at(int lane) { return (lane & 1) * 16; } };

constexpr int kRows = 16;
constexpr int kRowElements = 128;
constexpr int kBlocks = 64;

template <typename Pattern>
__global__ void broadcast_read(const typename Pattern::element *in, float *out) {
  using T = typename Pattern::element;
  __shared__ T tile[kRows * kRowElements];
  const int lane = threadIdx.x;
  for (int i = lane; i < kRows * kRowElements; i += 32) tile[i] = in[i];  // expect: shared store 1-way
  __syncthreads();
  float sum = 0;
  for (int row = 0; row < kRows; ++row) sum += static_cast<float>(tile[row * kRowElements + Pattern::at(lane)]);
  out[blockIdx.x * 32 + lane] = sum;  // expect: global store 4 sectors/request
}

template <typename Pattern>
static bool run(const char *name) {
  using T = typename Pattern::element;
  const std::vector<T> in = catalogue::random_integers<T>(kRows * kRowElements, 100, 9);
  std::vector<float> expected(kBlocks * 32, 0.0f);
  for (int i = 0; i < kBlocks * 32; ++i)
    for (int row = 0; row < kRows; ++row) expected[i] += static_cast<float>(in[row * kRowElements + Pattern::at(i % 32)]);

  catalogue::Device<T> d_in(in);
  catalogue::Device<float> d_out(expected.size());
  broadcast_read<Pattern><<<kBlocks, 32>>>(d_in, d_out);
  CHECK_LAUNCH();
  return catalogue::compare(name, d_out.download(), expected);
}

int main() {
  bool ok = run<one_word>("one_word");
  ok = run<two_words>("two_words") && ok;
  ok = run<two_words_a_bank>("two_words_a_bank") && ok;
  ok = run<half_warps>("half_warps") && ok;
  ok = run<half_warps_a_bank>("half_warps_a_bank") && ok;
  ok = run<quarters_a_bank>("quarters_a_bank") && ok;
  ok = run<pairs>("pairs") && ok;
  ok = run<halves_of_words>("halves_of_words") && ok;
  ok = run<bytes_of_words>("bytes_of_words") && ok;
  ok = run<bytes_one_word>("bytes_one_word") && ok;
  ok = run<one_double>("one_double") && ok;
  ok = run<half_warp_doubles>("half_warp_doubles") && ok;
  ok = run<two_doubles>("two_doubles") && ok;
  return catalogue::report("broadcast", ok);
}
