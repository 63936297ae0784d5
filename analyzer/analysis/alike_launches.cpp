#include "analysis/alike_launches.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace smem {
namespace {

/// Only how far pointers of an allocation are apart matters, and which have the same one.
void forget_places(std::vector<ArgumentValue> &arguments) {
  constexpr std::uint64_t kRepeats = 256; // bytes: of costs, and of allocations' alignment
  struct Allocation {
    std::uint32_t number = 0;
    std::uint64_t least = UINT64_MAX;
    bool placed = true; ///< it is known where all pointers into it lead
  };
  std::map<std::uint32_t, Allocation> allocations;
  const auto may_move = [](const ArgumentValue &argument) {
    return argument.pointer && argument.origin.allocation != 0 &&
           argument.origin.allocation != PointerOrigin::kRecorded;
  };
  for (const ArgumentValue &argument : arguments) {
    if (!may_move(argument))
      continue;
    const auto [entry, first] = allocations.try_emplace(argument.origin.allocation);
    if (first)
      entry->second.number = static_cast<std::uint32_t>(allocations.size());
    entry->second.placed &= argument.origin.place.has_value();
    entry->second.least = std::min(entry->second.least, argument.origin.place.value_or(UINT64_MAX));
  }
  for (ArgumentValue &argument : arguments) {
    if (!may_move(argument))
      continue;
    const Allocation &allocation = allocations[argument.origin.allocation];
    argument.origin.allocation = allocation.number;
    if (!allocation.placed)
      continue;
    *argument.origin.place -= allocation.least;
    const auto period = static_cast<std::int64_t>(std::max(argument.alignment, kRepeats));
    if (argument.value)
      argument.value = (*argument.value % period + period) % period;
  }
}

} // namespace

Launch without_origin(Launch launch) {
  launch.mangled.clear();
  launch.location = {};
  launch.consistent = true;
  forget_places(launch.arguments);
  return launch;
}

bool alike(const Launch &a, const Launch &b) {
  return a.grid == b.grid && a.block == b.block && without_origin(a) == without_origin(b);
}

} // namespace smem
