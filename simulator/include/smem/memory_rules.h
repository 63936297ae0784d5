// How one architecture's memory pipe serves a request, as data: the memory model has one algorithm and reads these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace smem {

/// When the phases of a 64- or 128-bit access are served together.
enum class PairMerge : std::uint8_t {
  Never,
  /// If every active lane's address equals that of lane^1, or every one's that of lane^2 (an inactive neighbour agrees),
  /// two neighbouring phases become one.
  EqualNeighbours,
};

/// How lanes of a shared atomic that address the same word are served.
enum class AtomicRule : std::uint8_t {
  Unknown,             ///< nothing was measured or documented
  MergeEqualAddresses, ///< one pass serves them all, as for a load
  SerialiseEqualAddresses, ///< one pass a lane
};

inline constexpr std::size_t kAtomicKinds = 14;

struct MemoryRules {
  PairMerge pair_merge = PairMerge::Never;
  std::array<AtomicRule, kAtomicKinds> shared_atomics{}; ///< by AtomicKind
};

} // namespace smem
