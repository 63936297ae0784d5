// How one architecture's memory pipe serves a request, as data: the memory model has one algorithm and reads these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace smem {

/// How a 64- or 128-bit load from shared memory is split. Without merging a half-warp (64 bit) or a quarter-warp (128 bit) is
/// served at a time; stores always are.
enum class WideLoads : std::uint8_t {
  Split,
  /// Neighbouring phases become one wavefront where all their lanes agree with lane^1, or all with lane^2, and no two words of
  /// a bank are wanted.
  MergeAgreeingPairs,
};

/// How the lanes of a shared atomic that meet in a bank are served.
enum class AtomicService : std::uint8_t {
  Unknown,           ///< neither measured nor documented
  EqualWordsAtOnce,  ///< one wavefront serves all lanes on one word, as for a load
  LaneByLane,        ///< one wavefront a lane, even if lanes share a word
  LoopOfCompareSwap, ///< no single instruction: the compiler emits a loop whose trips depend on the lanes' contention
  LoopOnValues,      ///< likewise, and a lane whose update would change nothing leaves before it tries
};

struct AtomicRule {
  AtomicService service = AtomicService::Unknown;
  std::uint8_t passes = 1; ///< wavefronts each service takes, actual and ideal
};

/// How cp.async is counted.
enum class CopyService : std::uint8_t {
  Unknown, ///< neither measured nor documented
  /// A phase takes as many wavefronts as one of its lanes meets others in its bank of the destination or in that of the source.
  LanesMeeting,
  /// Sectors move from L2 into shared memory, each lane's 16 bytes in the half that its destination has. Only plain copies are
  /// a function of their addresses.
  SectorMoves,
};

inline constexpr std::size_t kAtomicKinds = 14; ///< values of AtomicKind

struct MemoryRules {
  WideLoads wide_loads = WideLoads::Split;
  CopyService cached_copy = CopyService::Unknown; ///< cp.async.ca
  CopyService bypass_copy = CopyService::Unknown; ///< cp.async.cg
  /// By AtomicKind, by width (0: up to 32 bits, 1: 64 bits), by whether the result is used.
  std::array<std::array<std::array<AtomicRule, 2>, 2>, kAtomicKinds> shared_atomics{};

  const AtomicRule &shared_atomic(std::size_t kind, unsigned width_bits, bool result_used) const {
    return shared_atomics[kind][width_bits > 32][result_used];
  }
};

} // namespace smem
