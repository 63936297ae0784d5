// Throughput of the memory model, in requests per second, for the address patterns of real kernels.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace {

using namespace smem;

constexpr std::size_t kRequests = 1024;

struct Pattern {
  const char *name;
  /// Address of a lane in units of the access's width; `r` is a fresh random number for every lane, `b` one for the request.
  std::uint64_t (*index)(unsigned lane, std::uint64_t b, std::uint64_t r);
};

constexpr Pattern kUnitStride{"unit stride",
                              [](unsigned lane, std::uint64_t b, std::uint64_t) { return b % 64 * 32 + lane; }};
constexpr Pattern kBroadcast{"broadcast", [](unsigned, std::uint64_t b, std::uint64_t) { return b % 2048; }};
constexpr Pattern kColumn{"column, 32-way",
                          [](unsigned lane, std::uint64_t b, std::uint64_t) { return b % 32 + lane * 32; }};
constexpr Pattern kStrideTwo{"stride 2",
                             [](unsigned lane, std::uint64_t b, std::uint64_t) { return b % 1024 + lane * 2; }};
constexpr Pattern kPadded{"padded column",
                          [](unsigned lane, std::uint64_t b, std::uint64_t) { return b % 32 + lane * 33; }};
constexpr Pattern kSwizzled{"swizzled column",
                            [](unsigned lane, std::uint64_t b, std::uint64_t) { return lane * 32 + (lane ^ b % 32); }};
constexpr Pattern kBlock{"block of 16x2", [](unsigned lane, std::uint64_t b, std::uint64_t) {
                           return b % 512 + lane % 16 + lane / 16 * 64;
                         }};
constexpr Pattern kTile{"16x2, broadcast rows",
                        [](unsigned lane, std::uint64_t b, std::uint64_t) { return b % 512 + lane / 16 * 17; }};
constexpr Pattern kHistogram{"random in 1 KB", [](unsigned, std::uint64_t, std::uint64_t r) { return r % 256; }};
constexpr Pattern kGather{"random in 48 KB", [](unsigned, std::uint64_t, std::uint64_t r) { return r % 12288; }};

std::vector<Request> make_requests(std::initializer_list<Pattern> patterns, unsigned width_bytes, bool masks) {
  std::mt19937_64 random(1);
  std::vector<Request> requests;
  while (requests.size() < kRequests)
    for (const Pattern &pattern : patterns) {
      Request request;
      const std::uint64_t b = random();
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        request.address[lane] = pattern.index(lane, b, random()) * width_bytes;
      request.active = masks && random() % 8 == 0 ? kFullMask >> random() % 32 : kFullMask;
      requests.push_back(request);
    }
  return requests;
}

void measure(benchmark::State &state, const Access &access, const std::vector<Request> &requests) {
  const Architecture &architecture = *find_architecture("sm_90");
  for (auto _ : state)
    for (const Request &request : requests)
      benchmark::DoNotOptimize(evaluate(request, access, architecture));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * requests.size()));
}

const Access kSharedLoad{.space = Space::Shared, .operation = Operation::Load, .width_bits = 32};
const Access kGlobalLoad{.space = Space::Global, .operation = Operation::Load, .width_bits = 32};

/// What the requests of a set of kernels look like: half of them with one stride, with and without conflicts, swizzles and
/// two-dimensional blocks, a quarter at random addresses; one in eight is the tail of a loop.
void shared_mix(benchmark::State &state) {
  measure(state, kSharedLoad,
          make_requests({kUnitStride, kBroadcast, kColumn, kStrideTwo, kPadded, kSwizzled, kBlock, kTile, kHistogram,
                         kGather, kUnitStride, kHistogram},
                        4, true));
}
BENCHMARK(shared_mix);

void global_mix(benchmark::State &state) {
  measure(state, kGlobalLoad,
          make_requests({kUnitStride, kBroadcast, kColumn, kStrideTwo, kPadded, kSwizzled, kBlock, kTile, kHistogram,
                         kGather, kUnitStride, kHistogram},
                        4, true));
}
BENCHMARK(global_mix);

void shared_mix_of_widths(benchmark::State &state) {
  const auto narrow = make_requests({kUnitStride, kBroadcast, kColumn, kPadded, kBlock, kHistogram}, 4, true);
  const auto wide = make_requests({kUnitStride, kBroadcast, kColumn, kPadded, kBlock, kHistogram}, 16, true);
  Access access = kSharedLoad;
  const Architecture &architecture = *find_architecture("sm_90");
  for (auto _ : state)
    for (std::size_t i = 0; i < kRequests; ++i) {
      access.width_bits = 32;
      benchmark::DoNotOptimize(evaluate(narrow[i], access, architecture));
      access.width_bits = 128;
      benchmark::DoNotOptimize(evaluate(wide[i], access, architecture));
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * 2 * kRequests));
}
BENCHMARK(shared_mix_of_widths);

void one_pattern(benchmark::State &state, Pattern pattern, Access access) {
  measure(state, access, make_requests({pattern}, access.width_bits / 8, false));
}

[[maybe_unused]] const bool registered = [] {
  for (const Pattern &pattern :
       {kUnitStride, kBroadcast, kColumn, kStrideTwo, kPadded, kSwizzled, kBlock, kTile, kHistogram, kGather}) {
    for (const std::uint16_t width : {32, 64, 128}) {
      Access access = kSharedLoad;
      access.width_bits = width;
      benchmark::RegisterBenchmark(("shared_load/" + std::to_string(width) + "/" + pattern.name).c_str(), one_pattern,
                                   pattern, access);
    }
    benchmark::RegisterBenchmark((std::string("global_load/32/") + pattern.name).c_str(), one_pattern, pattern,
                                 kGlobalLoad);
  }
  return true;
}();

} // namespace
