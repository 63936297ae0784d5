// Conditions of cases, from what the cases differ in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "domain.h"
#include "smem/pattern.h"

namespace smem::pattern {

/// A condition on the quantity, of which its values or remainders are still to be filled in.
PatternCondition condition_on(const Quantity &quantity);
/// The same, filled in, of the argument's piece that is a multiple of the quantity.
PatternCondition of_piece(PatternCondition condition, const Quantity &quantity);

/// Lanes or FewerLanes.
PatternCondition condition_on_lanes(PatternCondition::Kind kind, LaneMask lanes);

/// Some combination of quantities that is not put into words.
PatternCondition joint_condition();

/// Address or Source: of addresses `base` + shift, the smallest power of two modulo which those of group `which` are told from those of the
/// others, each group a list of shifts. Nullopt: none up to kRepeats tells them.
std::optional<PatternCondition> condition_on_address(PatternCondition::Kind kind,
                                                     const std::vector<std::vector<std::uint32_t>> &groups,
                                                     std::size_t which, std::uint64_t base);

} // namespace smem::pattern
