// Global accesses that do not start on a sector: a copy whose source is shifted by some elements.
//
// A request covers 32 * sizeof(T) consecutive bytes from a multiple of that size plus OFFSET * sizeof(T). What cudaMalloc
// returns is aligned to at least 256 bytes, so:
//   <float, 0>    bytes 0..127: 4 sectors, 1 tag
//   <float, 1>    bytes 4..131: sectors 0..4: 5 sectors, 2 tags
//   <float, 8>    bytes 32..159: 4 sectors, 2 tags
//   <float, 31>   bytes 124..251: sectors 3..7: 5 sectors, 2 tags
//   <double, 1>   bytes 8..263: sectors 0..8: 9 sectors, 3 tags
//   <double, 4>   bytes 32..287: 8 sectors, 3 tags
//   <float4, 1>   bytes 16..527: sectors 0..16: 17 sectors, 5 tags
// The store is always aligned: 4, 8 and 16 sectors. (Tags count lines of the whole request; a wide access that the hardware
// splits may look a line up more than once.)
//
// Whole launch of one instantiation, 2^20 elements, 4,096 blocks of 256 threads: 32,768 requests a site; sectors 32,768
// times the figure; ideal 4, 8 or 16 a request.
//
// expect copy_shifted<float, 0>: global load 4 sectors/request; global store 4 sectors/request
// expect copy_shifted<float, 1>: global load 5 sectors/request; global store 4 sectors/request
// expect copy_shifted<float, 8>: global load 4 sectors/request; global store 4 sectors/request
// expect copy_shifted<float, 31>: global load 5 sectors/request; global store 4 sectors/request
// expect copy_shifted<double, 1>: global load 9 sectors/request; global store 8 sectors/request
// expect copy_shifted<double, 4>: global load 8 sectors/request; global store 8 sectors/request
// expect copy_shifted<float4, 1>: global load 17 sectors/request; global store 16 sectors/request
#include <cstring>

#include "catalogue.h"

template <typename T, int OFFSET>
__global__ void copy_shifted(const T *in, T *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + OFFSET];
}

template <typename T, int OFFSET>
static bool run(const char *name) {
  const int n = 1 << 20;
  std::vector<T> in(n + OFFSET);
  const std::vector<unsigned char> bytes = catalogue::random_integers<unsigned char>(in.size() * sizeof(T), 256, 43);
  std::memcpy(static_cast<void *>(in.data()), bytes.data(), bytes.size());

  catalogue::Device<T> d_in(in), d_out(n);
  copy_shifted<T, OFFSET><<<n / 256, 256>>>(d_in, d_out);
  CHECK_LAUNCH();
  const std::vector<T> out = d_out.download();
  const bool ok = std::memcmp(out.data(), in.data() + OFFSET, n * sizeof(T)) == 0;
  std::printf("  %-32s %s\n", name, ok ? "ok" : "WRONG");
  return ok;
}

int main() {
  bool ok = run<float, 0>("float, 0");
  ok = run<float, 1>("float, 1") && ok;
  ok = run<float, 8>("float, 8") && ok;
  ok = run<float, 31>("float, 31") && ok;
  ok = run<double, 1>("double, 1") && ok;
  ok = run<double, 4>("double, 4") && ok;
  ok = run<float4, 1>("float4, 1") && ok;
  return catalogue::report("misaligned", ok);
}
