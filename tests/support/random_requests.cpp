#include "random_requests.h"

#include <numeric>
#include <utility>

namespace smem::testing {
namespace {

std::array<unsigned, kWarpSize> random_permutation(Random &random) {
  std::array<unsigned, kWarpSize> order{};
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned i = kWarpSize - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

/// A stride as kernels have them: small, a power of two, a padded power of two, any.
std::uint64_t random_stride(Random &random) {
  switch (random.below(5)) {
  case 0: return random.below(6);
  case 1: return std::uint64_t{1} << random.below(11);
  case 2: return (std::uint64_t{1} << random.below(8)) + 1;
  case 3: return random.below(70);
  default: return random.below(2000);
  }
}

} // namespace

LaneMask random_mask(Random &random) {
  const auto word = [&] { return static_cast<LaneMask>(random.bits()); };
  switch (random.below(9)) {
  case 0: return word();
  case 1: return word() & word() & word();
  case 2: return word() | word() | word();
  case 3: return kFullMask >> random.below(32);
  case 4: return kFullMask << random.below(32);
  case 5: { // groups of four lanes
    LaneMask mask = 0;
    for (unsigned group = 0; group < 8; ++group)
      mask |= random.one_in(2) ? 0xfu << 4 * group : 0;
    return mask;
  }
  case 6: return 1u << random.below(32) | 1u << random.below(32);
  case 7: return random.one_in(50) ? 0 : 0x0000ffffu << 16 * random.below(2);
  default: return kFullMask;
  }
}

Request random_request(Random &random, unsigned width_bytes, std::uint64_t window) {
  Request request;
  request.active = random.one_in(2) ? kFullMask : random_mask(random);

  // Unit index of each lane, in accesses of this width.
  std::array<std::uint64_t, kWarpSize> index{};
  const std::uint64_t base = random.below(4096);
  const auto order = random_permutation(random);
  switch (random.below(10)) {
  case 0: { // affine
    const std::uint64_t stride = random_stride(random);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = base + lane * stride;
    break;
  }
  case 1: { // affine in two levels: a two-dimensional block
    const unsigned inner = 1u << (1 + random.below(4));
    const std::uint64_t low = random_stride(random), high = random_stride(random);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = base + lane % inner * low + lane / inner * high;
    break;
  }
  case 2: { // swizzled column
    const std::uint64_t pitch = 8u << random.below(4);
    const unsigned mask = (1u << (1 + random.below(5))) - 1, column = random.below(pitch);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = lane * pitch + ((column ^ (lane & mask)) % pitch);
    break;
  }
  case 3: // permutation of a row
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = base + order[lane];
    break;
  case 4: { // permutation of a row, some lanes in another row
    const std::uint64_t row = 32 * (1 + random.below(70)), moved = random.bits();
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = order[lane] + (moved >> lane & 1) * row;
    break;
  }
  case 5: { // few banks, some rows
    const std::uint64_t columns = 1 + random.below(4), rows = 1 + random.below(100);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = random.below(columns) + 32 * random.below(rows);
    break;
  }
  case 6: { // groups of equal lanes, now and then with one that is not
    const unsigned flip = 1u << random.below(5), other = random.one_in(2) ? flip : 1u << random.below(5);
    const std::uint64_t limit = 1u << (1 + random.below(8));
    std::array<std::uint64_t, kWarpSize> value{};
    for (auto &v : value)
      v = random.below(limit);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = value[lane & ~flip & ~other];
    if (random.one_in(3))
      index[random.below(kWarpSize)] = random.below(limit);
    break;
  }
  case 7: { // conflict-free quarters in random order, some repeated
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      index[lane] = order[lane] % 8 + 8 * random.below(4);
    break;
  }
  case 8: { // a random window of any size
    const std::uint64_t limit = 1u << random.below(13);
    for (auto &i : index)
      i = base + random.below(limit);
    break;
  }
  default: // anywhere
    for (auto &i : index)
      i = random.bits();
  }

  const bool misaligned = random.one_in(16);
  const std::uint64_t units = window / width_bytes - 1;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    request.address[lane] = index[lane] % units * width_bytes + (misaligned ? random.below(width_bytes) : 0);
  // What inactive lanes hold must not matter.
  if (random.one_in(2))
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if ((request.active >> lane & 1) == 0)
        request.address[lane] = random.bits();
  return request;
}

} // namespace smem::testing
