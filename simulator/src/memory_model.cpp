#include "smem/memory_model.h"

#include <algorithm>
#include <array>
#include <bit>

#include "smem/architecture.h"

namespace smem {
namespace {

/// The distinct values among a group of lanes, chained by a few bits of each: the bank, or the low bits of a sector number.
/// Values that arrive in order, the usual case, are recognised without walking a chain.
class DistinctByBucket {
public:
  static constexpr unsigned kBuckets = 32;

  void insert(std::uint64_t value) {
    const unsigned bucket = value % kBuckets;
    const std::uint32_t bit = 1u << bucket;
    if ((occupied_ & bit) == 0) {
      occupied_ |= bit;
      last_[bucket] = kEnd;
      low_[bucket] = high_[bucket] = value;
      count_[bucket] = 0;
    } else if (value > high_[bucket]) {
      high_[bucket] = value;
    } else if (value < low_[bucket]) {
      low_[bucket] = value;
    } else {
      for (std::uint8_t i = last_[bucket]; i != kEnd; i = next_[i])
        if (value_[i] == value)
          return;
    }
    value_[size_] = value;
    next_[size_] = last_[bucket];
    last_[bucket] = size_++;
    deepest_ = std::max<unsigned>(deepest_, ++count_[bucket]);
  }

  unsigned size() const { return size_; }
  unsigned deepest() const { return deepest_; }

private:
  static constexpr unsigned kCapacity = kWarpSize * 4;
  static constexpr std::uint8_t kEnd = 0xff;
  std::uint32_t occupied_ = 0;
  std::uint8_t size_ = 0;
  unsigned deepest_ = 0;
  std::array<std::uint64_t, kCapacity> value_;
  std::array<std::uint8_t, kCapacity> next_;
  std::array<std::uint64_t, kBuckets> low_, high_;
  std::array<std::uint8_t, kBuckets> last_, count_;
};

template <class Visit> void for_each_lane(LaneMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1)
    visit(static_cast<unsigned>(std::countr_zero(mask)));
}

constexpr LaneMask lanes_from(unsigned first, unsigned count) {
  return (count == 32 ? kFullMask : (1u << count) - 1) << first;
}

bool equal_to_neighbour(const Request &request, LaneMask group, unsigned distance) {
  bool equal = true;
  for_each_lane(group & request.active, [&](unsigned lane) {
    const unsigned other = lane ^ distance;
    if ((request.active >> other & 1) != 0 && request.address[other] != request.address[lane])
      equal = false;
  });
  return equal;
}

/// Calls visit(lanes) for every phase that a request of this width is served in.
template <class Visit> void for_each_phase(const Request &request, unsigned width_bits, PairMerge merge, Visit visit) {
  if (width_bits <= 32) {
    visit(kFullMask);
    return;
  }
  const unsigned lanes = width_bits == 64 ? 16 : 8;
  for (unsigned first = 0; first < kWarpSize; first += 2 * lanes) {
    const LaneMask both = lanes_from(first, 2 * lanes);
    if (merge == PairMerge::EqualNeighbours &&
        (equal_to_neighbour(request, both, 1) || equal_to_neighbour(request, both, 2))) {
      visit(both);
    } else {
      visit(lanes_from(first, lanes));
      visit(lanes_from(first + lanes, lanes));
    }
  }
}

unsigned degree_of(const Request &request, LaneMask lanes, unsigned width_bits) {
  DistinctByBucket words;
  const unsigned words_per_lane = std::max(1u, width_bits / 32);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t word = request.address[lane] / 4;
    for (unsigned i = 0; i < words_per_lane; ++i)
      words.insert(word + i);
  });
  return words.deepest();
}

/// Most lanes on one bank, each counted even if another has the same address.
unsigned lanes_per_bank(const Request &request, LaneMask lanes) {
  std::array<std::uint8_t, 32> count{};
  unsigned most = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    most = std::max<unsigned>(most, ++count[request.address[lane] / 4 % 32]);
  });
  return most;
}

RequestCost shared_cost(const Request &request, const Access &access, const MemoryRules &rules) {
  RequestCost cost;
  const auto add_phase = [&](unsigned degree) {
    cost.wavefronts += degree;
    cost.ideal_wavefronts += degree != 0;
    cost.conflict_degree = std::max(cost.conflict_degree, degree);
  };
  if (access.operation == Operation::Atomic &&
      rules.shared_atomics[static_cast<std::size_t>(access.atomic)] == AtomicRule::SerialiseEqualAddresses) {
    for_each_phase(request, access.width_bits, PairMerge::Never,
                   [&](LaneMask phase) { add_phase(lanes_per_bank(request, phase & request.active)); });
    return cost;
  }
  const bool matrix = access.operation == Operation::MatrixLoad || access.operation == Operation::MatrixStore;
  const LaneMask active = matrix ? request.active & lanes_from(0, 8u * access.matrices) : request.active;
  for_each_phase(request, matrix ? 128 : access.width_bits, matrix ? PairMerge::Never : rules.pair_merge,
                 [&](LaneMask phase) { add_phase(degree_of(request, phase & active, access.width_bits)); });
  return cost;
}

RequestCost global_cost(const Request &request, const Access &access) {
  RequestCost cost;
  DistinctByBucket sectors;
  for_each_lane(request.active, [&](unsigned lane) { sectors.insert(request.address[lane] / 32); });
  cost.sectors = sectors.size();
  const unsigned bytes = std::popcount(request.active) * access.width_bits / 8;
  cost.ideal_sectors = (bytes + 31) / 32;
  for_each_phase(request, access.width_bits, PairMerge::Never, [&](LaneMask phase) {
    DistinctByBucket lines;
    for_each_lane(phase & request.active, [&](unsigned lane) { lines.insert(request.address[lane] / 128); });
    cost.tags += lines.size();
  });
  return cost;
}

} // namespace

RequestCost evaluate(const Request &request, const Access &access, const Architecture &architecture) {
  return access.space == Space::Shared ? shared_cost(request, access, architecture.rules) : global_cost(request, access);
}

std::string_view unsupported_reason(const Access &access, const Architecture &architecture) {
  if (access.operation == Operation::AsyncCopy && !architecture.async_copy)
    return "the architecture has no cp.async";
  if (access.operation == Operation::MatrixLoad && !architecture.matrix_load)
    return "the architecture has no ldmatrix";
  if (access.operation == Operation::MatrixStore && !architecture.matrix_store)
    return "the architecture has no stmatrix";
  if (access.space == Space::Shared && access.operation == Operation::Atomic &&
      architecture.rules.shared_atomics[static_cast<std::size_t>(access.atomic)] == AtomicRule::Unknown)
    return "no measurement of this shared atomic";
  return {};
}

} // namespace smem
