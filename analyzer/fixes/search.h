// Which layouts of an array would cost no more than the ideal, tried on the requests of the first block.
#pragma once

#include "fixes/traffic.h"

#include <span>
#include <vector>

namespace smem {

/// What the place of declaration allows.
struct Freedom {
  bool grow = true; ///< the array may take more room
};

/// A layout and how well it does over several instances of an array.
struct Candidate {
  Layout layout;
  std::uint64_t excess = 0, wavefronts = 0;
  std::uint64_t added_bytes = 0; ///< largest over the instances
  std::uint32_t blocks_lost = 0; ///< largest over the instances, blocks an SM
};

/// An array in one launch of one kernel, and what else occupies an SM.
struct ArrayInstance {
  ArrayTraffic traffic;
  std::uint64_t threads = 0, shared_bytes = 0; ///< of the block
};

/// Layouts without excess for all of `instances`, the cheapest first: no blocks lost, the simplest edit, the fewest
/// wavefronts, the least memory.
std::vector<Candidate> conflict_free(std::span<const ArrayInstance *const> instances, const Freedom &freedom);

/// Rows padded to whole 16-byte words: the compiler merges neighbouring accesses then, which requests do not show.
std::vector<Candidate> aligned_rows(std::span<const ArrayInstance *const> instances);

} // namespace smem
