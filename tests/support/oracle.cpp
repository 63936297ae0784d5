#include "oracle.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace smem::testing {
namespace {

/// A warp's lanes, as the rules speak of them.
struct Lanes {
  bool active[32] = {};
  std::uint64_t address[32] = {};
};

/// The lanes first .. first + count - 1 alone.
Lanes part(const Lanes &all, unsigned first, unsigned count) {
  Lanes result;
  for (unsigned lane = first; lane < first + count; ++lane) {
    result.active[lane] = all.active[lane];
    result.address[lane] = all.address[lane];
  }
  return result;
}

unsigned number_of_active(const Lanes &lanes) {
  unsigned n = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane])
      ++n;
  return n;
}

unsigned round_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit; }

/// A set as a list without repetitions.
class Set {
public:
  void insert(std::uint64_t value) {
    for (unsigned i = 0; i < size_; ++i)
      if (value_[i] == value)
        return;
    value_[size_++] = value;
  }
  unsigned size() const { return size_; }

private:
  std::uint64_t value_[32];
  unsigned size_ = 0;
};

/// Most distinct words that the lanes touch in one bank.
unsigned degree(const Lanes &lanes, unsigned width) {
  Set words_of_bank[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane])
      for (std::uint64_t word = lanes.address[lane] / 4; word <= (lanes.address[lane] + width - 1) / 4; ++word)
        words_of_bank[word % 32].insert(word);
  unsigned most = 0;
  for (unsigned bank = 0; bank < 32; ++bank)
    most = std::max(most, words_of_bank[bank].size());
  return most;
}

/// Most lanes whose first word is in one bank.
unsigned lanes_per_bank(const Lanes &lanes) {
  unsigned count[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane])
      ++count[lanes.address[lane] / 4 % 32];
  return *std::max_element(count, count + 32);
}

/// Every active lane whose neighbour (lane ^ distance) is active too has its address.
bool pairs_agree(const Lanes &lanes, unsigned distance) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane] && lanes.active[lane ^ distance] && lanes.address[lane] != lanes.address[lane ^ distance])
      return false;
  return true;
}

/// Likewise, and no lane is active without its neighbour.
bool pairs_agree_strictly(const Lanes &lanes, unsigned distance) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane] != lanes.active[lane ^ distance])
      return false;
  return pairs_agree(lanes, distance);
}

bool all_equal(const Lanes &lanes) {
  for (unsigned a = 0; a < 32; ++a)
    for (unsigned b = 0; b < a; ++b)
      if (lanes.active[a] && lanes.active[b] && lanes.address[a] != lanes.address[b])
        return false;
  return true;
}

/// Degrees of the phases that a request is split into.
using Degrees = std::vector<unsigned>;

Degrees split(const Lanes &lanes, unsigned lanes_per_phase, unsigned width) {
  Degrees degrees;
  for (unsigned first = 0; first < 32; first += lanes_per_phase)
    degrees.push_back(degree(part(lanes, first, lanes_per_phase), width));
  return degrees;
}

Degrees load64(const Lanes &lanes) {
  if (degree(lanes, 8) == 1 && (pairs_agree(lanes, 1) || pairs_agree(lanes, 2)))
    return {1};
  return split(lanes, 16, 8);
}

Degrees load128(const Lanes &lanes) {
  if (all_equal(lanes))
    return number_of_active(lanes) <= 16 ? Degrees{1} : Degrees{1, 1};
  const Lanes lower = part(lanes, 0, 16), upper = part(lanes, 16, 16);
  Degrees degrees = split(lanes, 8, 16);
  if (degree(upper, 16) == 1 && (pairs_agree(upper, 1) || pairs_agree(upper, 2))) {
    degrees[2] = 1;
    degrees[3] = 0;
  }
  if (degree(lower, 16) == 1 &&
      (!lanes.active[31] || pairs_agree_strictly(lower, 1) || pairs_agree_strictly(lower, 2))) {
    degrees[0] = 1;
    degrees[1] = 0;
  }
  return degrees;
}

RequestCost shared(const Lanes &lanes, const Access &access) {
  const unsigned width = access.width_bits / 8;
  Degrees degrees;
  unsigned passes = 1;
  RequestCost cost;
  cost.ideal_wavefronts = round_up(number_of_active(lanes) * width, 128);

  switch (access.operation) {
  case Operation::Load:
    degrees = width == 16 ? load128(lanes) : width == 8 ? load64(lanes) : split(lanes, 32, width);
    break;
  case Operation::Store: degrees = split(lanes, width <= 4 ? 32 : 128 / width, width); break;
  case Operation::MatrixLoad:
  case Operation::MatrixStore:
    for (unsigned matrix = 0; matrix < access.matrices; ++matrix)
      degrees.push_back(degree(part(lanes, 8 * matrix, 8), 16));
    cost.ideal_wavefronts = access.matrices;
    break;
  case Operation::AsyncCopy:      // oracle_copy()
  case Operation::MatrixMultiply: // neither looks at addresses
  case Operation::BulkCopy: break;
  case Operation::Atomic:
    if (access.atomic == AtomicKind::Increment && !access.result_used) {
      degrees = split(lanes, 32, width);
    } else {
      const unsigned lanes_per_phase = width == 8 ? 16 : 32;
      for (unsigned first = 0; first < 32; first += lanes_per_phase)
        degrees.push_back(lanes_per_bank(part(lanes, first, lanes_per_phase)));
    }
    passes = access.atomic == AtomicKind::CompareAndSwap ? 2 : 1;
    cost.ideal_wavefronts *= passes;
    break;
  }

  for (const unsigned d : degrees) {
    cost.wavefronts += d * passes;
    cost.conflict_degree = std::max(cost.conflict_degree, d);
  }
  if (access.operation == Operation::Load)
    cost.ideal_wavefronts = std::min(cost.ideal_wavefronts, cost.wavefronts);
  return cost;
}

RequestCost global(const Lanes &lanes, const Access &access) {
  Set sectors, lines;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.active[lane]) {
      sectors.insert(lanes.address[lane] / 32);
      lines.insert(lanes.address[lane] / 128);
    }
  RequestCost cost;
  cost.sectors = sectors.size();
  cost.tags = lines.size();
  cost.ideal_sectors = std::min(sectors.size(), round_up(number_of_active(lanes) * (access.width_bits / 8), 32));
  return cost;
}

Lanes lanes_of(const Request &request, unsigned width, Space space) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    lanes.active[lane] = (request.active >> lane & 1) != 0;
    // Misaligned accesses fault; to the model they are the aligned ones. Shared addresses are 32-bit.
    lanes.address[lane] = request.address[lane] / width * width;
    if (space == Space::Shared)
      lanes.address[lane] %= std::uint64_t{1} << 32;
  }
  return lanes;
}

} // namespace

RequestCost oracle(const Request &request, const Access &access) {
  const Lanes lanes = lanes_of(request, access.width_bits / 8, access.space);
  if (number_of_active(lanes) == 0)
    return {};
  return access.space == Space::Shared ? shared(lanes, access) : global(lanes, access);
}

RequestCost oracle_copy(const Request &destination, const Request &source, unsigned width) {
  const Lanes to = lanes_of(destination, width, Space::Shared), from = lanes_of(source, width, Space::Global);
  RequestCost cost = global(
      from,
      {.space = Space::Global, .operation = Operation::Load, .width_bits = static_cast<std::uint16_t>(width * 8)});
  cost.ideal_wavefronts = round_up(number_of_active(to) * width, 128);
  const auto same_bank = [](const Lanes &lanes, unsigned a, unsigned b) {
    return lanes.active[a] && lanes.active[b] && lanes.address[a] / 4 % 32 == lanes.address[b] / 4 % 32;
  };
  for (unsigned first = 0; first < 32; first += 128 / width) {
    unsigned most = 0;
    for (unsigned lane = first; lane < first + 128 / width; ++lane) {
      unsigned met = 0;
      for (unsigned other = first; other < first + 128 / width; ++other)
        met += same_bank(to, lane, other) || (to.active[lane] && to.active[other] && same_bank(from, lane, other));
      most = std::max(most, met);
    }
    cost.wavefronts += most;
    cost.conflict_degree = std::max(cost.conflict_degree, most);
  }
  return cost;
}

RequestCost oracle_bypass_copy(const Request &destination, const Request &source) {
  const Lanes to = lanes_of(destination, 16, Space::Shared), from = lanes_of(source, 16, Space::Global);

  std::map<std::uint64_t, unsigned> writer_of; // destination -> lowest lane
  for (unsigned lane = 0; lane < 32; ++lane)
    if (to.active[lane])
      writer_of.emplace(to.address[lane], lane);
  std::set<unsigned> survivors;
  for (const auto &[d, lane] : writer_of)
    survivors.insert(lane);

  using Move = std::tuple<std::uint64_t, std::uint64_t, bool>; // source sector, destination sector, swapped
  std::set<Move> moves;
  std::map<std::pair<unsigned, Move>, std::set<unsigned>> halves_of; // of a pass and a move
  for (const unsigned lane : survivors) {
    const std::uint64_t g = from.address[lane], d = to.address[lane];
    const bool swapped = (d - g) / 16 % 2 == 1;
    unsigned pass = 0;
    for (const unsigned other : survivors) {
      const std::uint64_t e = to.address[other];
      pass += other > lane && from.address[other] == g && e / 128 == d / 128 && ((e - g) / 16 % 2 == 1) == swapped;
    }
    const Move move{g / 32, d / 32, swapped};
    moves.insert(move);
    halves_of[{pass, move}].insert(d / 16 % 2);
  }

  std::set<std::tuple<unsigned, std::uint64_t, std::uint64_t, bool, std::set<unsigned>, bool>> wavefronts;
  RequestCost cost;
  for (const auto &[of, halves] : halves_of) {
    const auto &[pass, move] = of;
    const auto [source_sector, destination_sector, swapped] = move;
    wavefronts.insert({pass, source_sector / 4, destination_sector / 4, swapped, halves,
                       (source_sector ^ destination_sector) % 2 == 1});
    cost.conflict_degree = std::max(cost.conflict_degree, pass + 1);
  }
  const unsigned bytes = 16 * static_cast<unsigned>(survivors.size());
  cost.wavefronts = static_cast<unsigned>(wavefronts.size());
  cost.ideal_wavefronts = round_up(bytes, 128);
  cost.sectors = static_cast<unsigned>(moves.size());
  cost.ideal_sectors = std::min(cost.sectors, round_up(bytes, 32));
  cost.tags = global(from, {.space = Space::Global, .width_bits = 128}).tags;
  return cost;
}

AtomicLoopCost oracle_atomic_loop(const Request &request, unsigned width) {
  Lanes remaining = lanes_of(request, width, Space::Shared);
  AtomicLoopCost result;
  while (number_of_active(remaining) != 0) {
    ++result.trips;
    const Access load{
        .space = Space::Shared, .operation = Operation::Load, .width_bits = static_cast<std::uint16_t>(width * 8)};
    const RequestCost cost = shared(remaining, load);
    result.load.wavefronts += cost.wavefronts;
    result.load.ideal_wavefronts += cost.ideal_wavefronts;
    result.load.conflict_degree = std::max(result.load.conflict_degree, cost.conflict_degree);
    result.swap.ideal_wavefronts += 2 * round_up(number_of_active(remaining) * width, 128);
    result.swap.conflict_degree = 1;

    const unsigned phase = width == 8 ? 16 : 32;
    bool winner[32] = {};
    for (unsigned first = 0; first < 32; first += phase) {
      if (number_of_active(part(remaining, first, phase)) != 0)
        result.swap.wavefronts += 2;
      bool taken[32] = {};
      for (unsigned lane = first; lane < first + phase; ++lane) {
        const unsigned bank = remaining.address[lane] / 4 % 32;
        if (remaining.active[lane] && !taken[bank])
          winner[lane] = taken[bank] = true;
      }
    }
    if (width == 8)
      for (unsigned upper = 16; upper < 32; ++upper)
        for (unsigned lower = 0; lower < 16; ++lower)
          if (winner[lower] && remaining.address[lower] == remaining.address[upper])
            winner[upper] = false;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (winner[lane])
        remaining.active[lane] = false;
  }
  return result;
}

} // namespace smem::testing
