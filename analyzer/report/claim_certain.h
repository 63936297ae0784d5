// What the cases of a pattern leave certain of one instruction's requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/figures.h"
#include "smem/launch.h"
#include "smem/pattern.h"

namespace smem {

inline constexpr std::uint8_t kOtherShape = 1U << static_cast<unsigned>(BlockShape::Other);

std::uint32_t actual_of(const PatternCase &one, Unit unit);

/// What is certain of one instruction.
struct Certain {
  PatternCase least;                        ///< the cheapest of its cases
  std::uint8_t shapes = 0;                  ///< the blocks of which it is
  bool all_lanes = false;                   ///< only of requests of all lanes
  bool by_values = false;                   ///< known values exclude other cases
  bool at_least = false;                    ///< in blocks of these shapes there are dearer cases, too
  bool of_some_copies = false;              ///< other copies of the access cost less
  std::vector<PatternCondition> conditions; ///< by_values: those that they satisfy
  bool one_case = true;                     ///< `conditions` are of one case, and hold together
};

/// Every case that decides is costly. Requests of fewer lanes than the source has, and blocks whose warps lie across rows in no regular way, have
/// bounds only: they are left out, and the words say so.
std::optional<Certain> certain_cost(const Pattern &pattern, const Launch &launch, Unit unit, double least_ratio);

/// "in all launches", "in warps whose lanes are all active, when blockDim.x % 32 == 0"; of a launch of which everything is known, what is news about others.
std::string words_of(const Certain &certain, const Launch &launch, bool assumed);

} // namespace smem
