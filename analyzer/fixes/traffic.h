// What a kernel's launch does to one shared array, request by request.
#pragma once

#include "analysis/analysis.h"
#include "fixes/layout.h"
#include "smem/shared_layout.h"
#include "smem/trace.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace smem {

/// The requests of the first block to one array.
struct ArrayTraffic {
  Extents extents;
  std::uint64_t base = 0;                      ///< of the array in the shared window
  std::uint32_t granule = 0;                   ///< widest access, bytes
  std::vector<const TracedRequest *> requests; ///< the costliest first; of a Trace that outlives this
  std::vector<Access> accesses;                ///< parallel to them
  const Architecture *architecture = nullptr;
};

/// The array of shared_arrays that an operation accesses, by its own derivation or else by its addresses; kNone if neither says.
std::uint32_t array_of(const Program &program, const SharedLayout &layout, std::uint64_t dynamic_bytes,
                       const MemoryOperation &operation, std::uint64_t address);

/// The requests of `trace` to array `array` of `program`.
ArrayTraffic traffic_of(const Program &program, const SharedLayout &layout, std::uint64_t dynamic_bytes,
                        std::uint32_t array, const Extents &extents, const Trace &trace,
                        const Architecture &architecture);

struct Price {
  std::uint64_t excess = 0; ///< wavefronts beyond the ideal
  std::uint64_t wavefronts = 0;
};

/// What the traffic costs under another layout. Nullopt: an access would be torn apart or misaligned, or the excess is
/// above `most` (then the rest was not looked at).
std::optional<Price> price(const ArrayTraffic &traffic, const Layout &layout, std::uint64_t most = UINT64_MAX);

/// What the whole launch costs in shared memory, for each of Program::shared_arrays.
struct ArrayCounts {
  Counts counts;
  Verdict verdict = Verdict::Exact; ///< the weakest of the accesses'
  std::uint64_t excess() const { return counts.wavefronts - std::min(counts.wavefronts, counts.ideal_wavefronts); }
};
std::vector<ArrayCounts> counts_by_array(const Program &program, const LaunchAnalysis &launch,
                                         const Architecture &architecture);

/// Blocks that one SM holds at a time, as far as threads and shared memory limit them.
std::uint32_t blocks_per_sm(const Architecture &architecture, std::uint64_t threads, std::uint64_t shared_bytes);

} // namespace smem
