// What a launch asks of the GPU's units at least, beside the sums over its sites: what floors under its time are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/memory_model.h"

namespace smem {

/// Passes of an SM's units, each of which takes a cycle or a fixed part of one. Lower bounds.
struct UnitWork {
  std::uint64_t shared_wavefronts = 0; ///< of the L1 data pipe, for shared memory
  std::uint64_t global_wavefronts =
      0; ///< of the same pipe, for loads and stores of global memory: a load's lines take turns where they want the same banks
  std::uint64_t tags =
      0; ///< of the tag stage, for loads and stores of global memory: quarters of a cycle, in which a line is looked up at most

  UnitWork &operator+=(const UnitWork &other);
  /// No less than either in any unit. Saturates.
  UnitWork times(std::uint64_t count) const;
  bool operator==(const UnitWork &) const = default;
};

/// The least of each.
UnitWork least_of(const UnitWork &a, const UnitWork &b);

/// Lookups that a cycle of the tag stage has room for.
inline constexpr std::uint64_t kTagsOfCycle = 4;

/// Of so many requests of an access in a space, what their costs add up to. What counters do not show (bulk copies, other blocks' shared
/// memory), what has no measured throughput (wgmma, atomics of global memory) and what is not known counts nothing.
UnitWork unit_work(const Access &access, Space space, std::uint64_t requests, std::uint64_t wavefronts,
                   std::uint64_t ideal_sectors, std::uint64_t tags, std::uint64_t line_cycles = 0);

/// What is read of an array of global memory.
struct ArrayReads {
  std::uint32_t site = 0;            ///< of the Program: one that reads it
  std::uint64_t requested_bytes = 0; ///< by active lanes, each time
  std::uint64_t least_bytes = 0;     ///< different ones, at least
  std::uint64_t block_bytes = 0;     ///< different ones that a block reads, at least, where blocks are of one class

  bool operator==(const ArrayReads &) const = default;
};

struct LeastWork {
  UnitWork block; ///< of any one block of the grid
  /// Bytes of global memory that are read, and that are written, each counted once for the whole launch: in sectors of 32 where those are known.
  /// Of the one array of which most is written, and of the one of which most is read among those that nothing is written to.
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::vector<ArrayReads> reads; ///< by what addresses are relative to; empty where some reads are not known

  bool operator==(const LeastWork &) const = default;
};

} // namespace smem
