// The baseline: a perfectly coalesced copy, for element types of 1 to 16 bytes. No shared memory.
//
// A full warp touches 32 * sizeof(T) consecutive bytes, aligned to their size:
//   1 byte: 32 bytes, 1 sector · 2 bytes: 2 sectors · 4 bytes: 4 · 8 bytes: 8 · 16 bytes: 16
// which is also the ideal. Lines of 128 bytes: 1, 1, 1, 2 and 4.
//
// Whole launch: 2^20 elements of T, 4,096 blocks of 256 threads: 32,768 requests for the load and as many for the
// store; sectors a site = 32,768 times the figure above.
//
// expect copy_elements<unsigned char>: global load 1 sectors/request; global store 1 sectors/request
// expect copy_elements<unsigned short>: global load 2 sectors/request; global store 2 sectors/request
// expect copy_elements<float>: global load 4 sectors/request; global store 4 sectors/request
// expect copy_elements<double>: global load 8 sectors/request; global store 8 sectors/request
// expect copy_elements<float4>: global load 16 sectors/request; global store 16 sectors/request
#include <cstring>

#include "catalogue.h"

template <typename T>
__global__ void copy_elements(const T *__restrict__ in, T *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <typename T>
static bool run(const char *name) {
  const int n = COPY_ELEMENTS_OR(1 << 20);
  const int threads = 256;
  std::vector<T> in(n);
  const std::vector<unsigned char> bytes = catalogue::random_integers<unsigned char>(static_cast<std::size_t>(n) * sizeof(T), 256, 6);
  std::memcpy(static_cast<void *>(in.data()), bytes.data(), bytes.size());

  catalogue::Device<T> d_in(in), d_out(in.size());
  copy_elements<T><<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  const std::vector<T> out = d_out.download();
  const bool ok = std::memcmp(out.data(), in.data(), bytes.size()) == 0;
  std::printf("  %-32s %s\n", name, ok ? "ok" : "WRONG");
  return ok;
}

int main() {
  bool ok = run<unsigned char>("unsigned char");
  ok = run<unsigned short>("unsigned short") && ok;
  ok = run<float>("float") && ok;
  ok = run<double>("double") && ok;
  ok = run<float4>("float4") && ok;
  return catalogue::report("copy_coalesced", ok);
}
