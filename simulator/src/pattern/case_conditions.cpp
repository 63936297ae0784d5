#include "case_conditions.h"

#include <algorithm>
#include <utility>

#include "figures.h"

namespace smem::pattern {

PatternCondition condition_on(const Quantity &quantity) {
  PatternCondition c;
  c.kind = quantity.argument != kNone ? PatternCondition::Kind::Argument : PatternCondition::Kind::Quantity;
  c.argument = quantity.argument;
  c.offset = quantity.offset;
  c.width = quantity.width;
  c.divisor = quantity.divisor;
  c.plus = quantity.plus;
  c.name = quantity.scale == 1 ? quantity.name : quantity.piece;
  return c;
}

PatternCondition of_piece(PatternCondition c, const Quantity &quantity) {
  if (quantity.scale == 1)
    return c;
  for (std::int64_t &value : c.values)
    value *= quantity.scale;
  for (std::uint32_t &remainder : c.remainders)
    remainder *= static_cast<std::uint32_t>(quantity.scale);
  c.modulus *= static_cast<std::uint32_t>(quantity.scale);
  c.plus *= quantity.scale;
  c.near = c.near ? (c.near - 1) * quantity.scale + 1 : 0;
  return c;
}

PatternCondition condition_on_lanes(PatternCondition::Kind kind, LaneMask lanes) {
  PatternCondition c;
  c.kind = kind;
  c.lanes = lanes;
  return c;
}

PatternCondition joint_condition() {
  PatternCondition c;
  c.kind = PatternCondition::Kind::Quantity;
  return c;
}

std::optional<PatternCondition> condition_on_address(PatternCondition::Kind kind,
                                                     const std::vector<std::vector<std::uint32_t>> &groups,
                                                     std::size_t which, std::uint64_t base) {
  for (std::uint32_t modulus = 2; modulus <= kRepeats; modulus *= 2) {
    std::vector<int> owner(modulus, -1);
    bool clear = true;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::uint32_t shift : groups[g]) {
        int &known = owner[(base + shift) % modulus];
        clear &= known < 0 || known == static_cast<int>(g);
        known = static_cast<int>(g);
      }
    if (!clear)
      continue;
    PatternCondition c;
    c.kind = kind;
    c.modulus = modulus;
    // Of all but one that occur it is all but one: which do not occur is of no account.
    const auto others = std::ranges::count_if(owner, [&](int o) { return o >= 0 && o != static_cast<int>(which); });
    for (std::uint32_t r = 0; r < modulus; ++r)
      if (owner[r] == static_cast<int>(which) || (owner[r] < 0 && others == 1))
        c.remainders.push_back(r);
    return c;
  }
  return std::nullopt;
}

} // namespace smem::pattern
