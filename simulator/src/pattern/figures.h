// The figures of cases: of one request, and what none of several exceeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "smem/architecture.h"
#include "smem/memory_model.h"
#include "smem/pattern.h"

namespace smem::pattern {

using Cases = std::vector<PatternCase>;

inline constexpr std::uint64_t kRepeats = 128;      ///< bytes after which banks, sectors and lines repeat
inline constexpr std::size_t kMostCasesOfSite = 24; ///< of more, one that covers all is told

/// A case of no condition: what the request costs in shared memory, in global memory, or in both.
PatternCase figures(const RequestCost &cost, bool shared, bool global);
/// The larger of each figure.
void raise(PatternCase &to, const PatternCase &by);
/// One case that covers all: the largest figures of each.
PatternCase upper_bound(const Cases &cases);

/// An access whose requests cost no less than those of this one, and of which no request costs more than one of more lanes.
Access bounding(const Access &access);
/// What no request of these lanes exceeds, wherever they go; nullopt where no rule says.
std::optional<PatternCase> worst(const Access &access, const Architecture &architecture, LaneMask lanes = kFullMask);

} // namespace smem::pattern
