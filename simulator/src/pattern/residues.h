// What is known of registers' low bits, lane by lane, where their values are not: enough for the banks of shared memory.
//
// `for (i = threadIdx.x; i < n; i += 128) s[i] = ...`, unrolled: how far lanes have come differs, by multiples of 128 elements, and each has its own bank all the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpret.h"

namespace smem::pattern {

/// Each lane's value is low[lane] and a number that all lanes add, whenever and wherever it is computed, modulo 2^bits.
struct Residue {
  unsigned bits = 0; ///< 0: nothing is known
  Lanes low{};
  std::uint64_t shift = 0; ///< which number; 0: none is added. It stays the same as long as the warp runs
  unsigned grain = 63;     ///< the number is a multiple of 2^grain
  bool fixed = false;      ///< `low` is the same in all lanes, and all bits are known
  bool operator==(const Residue &) const = default;
};

/// By register. Of blocks whose warps have 32 threads with consecutive threadIdx.x, from a multiple of 32 on.
std::vector<Residue> residues_of(const Subject &subject);

/// What a request of these lanes costs at most whose addresses in shared memory have this residue; not `at_most` where each costs just that. nullopt: it says no more than worst() does.
std::optional<PatternCase> worst_of(const Residue &address, const Access &access, const Architecture &architecture,
                                    LaneMask lanes);

} // namespace smem::pattern
