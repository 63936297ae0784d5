// How loops end: after how many iterations, in which of them lanes leave, and what is assumed of where those reconverge.
#include "warp.h"

#include <algorithm>

namespace smem {
namespace {

// Machine code may run a loop of unknown length as four iterations at a time, then two, then one. Lanes that differ in their trips
// then meet as in the rolled loop only if what each runs is what the longest of them begins with.
bool meet_as_rolled(const std::vector<std::uint64_t> &trips, bool first_apart) {
  const auto chunks_begin_with = [](std::uint64_t longest, std::uint64_t trips) {
    const std::uint64_t fours = longest / 4 * 4, twos = fours + (longest & 2);
    return (trips <= fours && trips % 4 == 0) || trips == twos || trips == longest;
  };
  const std::uint64_t apart = first_apart ? 1 : 0;
  const std::uint64_t longest = *std::max_element(trips.begin(), trips.end());
  return std::all_of(trips.begin(), trips.end(), [&](std::uint64_t some) {
    return some <= apart || chunks_begin_with(longest - apart, some - apart);
  });
}

} // namespace

std::optional<Linear> Warp::iterations(const std::vector<DimensionId> &conditions, DimensionId loop,
                                       std::uint32_t &reason) {
  const Definition definition = *machine_.symbols[conditions[0]].definition;
  reason = machine_.symbols[conditions[0]].reason;
  const auto fails = [&](const char *why) {
    reason = machine_.reasons.add(why);
    return std::nullopt;
  };
  const auto rounds = static_cast<std::int64_t>(conditions.size());
  Linear left = definition.operands[0]; // at the first iteration
  Wide slope = 0;
  for (const auto &[dimension, coefficient] : definition.operands[0].terms) {
    if (dimension == loop)
      slope = coefficient / rounds;
    else if (is_digit(dimension))
      scopes_.pin(dimension);
    else if (is_loop(dimension))
      return fails("the length of a loop changes from one iteration of the loop around it to the next");
  }
  // Each round's condition is the one of the round before, a step further.
  for (std::int64_t round = 0; round < rounds; ++round) {
    const Definition &other = *machine_.symbols[conditions[static_cast<std::size_t>(round)]].definition;
    Linear apart = other.operands[0];
    apart.add(definition.operands[0], -1);
    if (other.kind != definition.kind || !apart.terms.empty() || apart.constant != slope * round)
      return fails("the number of a loop's iterations is no formula");
  }
  std::erase_if(left.terms, [](const auto &t) { return !is_symbol(t.first); });
  const Wide size = slope < 0 ? -slope : slope;
  const bool counts_down = definition.kind == Definition::Kind::AtLeast0 && slope < 0,
             meets = definition.kind == Definition::Kind::NotZero && slope != 0;
  if ((!counts_down && !meets) || size > INT32_MAX)
    return fails("the number of a loop's iterations is no formula");
  if (machine_.symbols.parts(left) > kMostParts)
    return fails("the number of a loop's iterations is no formula");
  if (counts_down)
    left.constant += 1; // the iterations with left - size * t >= 0
  else if (slope > 0)
    left = Linear{}.add(left, -1);
  const Linear count = machine_.symbols.ceil_div(std::move(left), static_cast<std::int64_t>(size), reason);
  machine_.symbols.set_gates(paths_.back().gates);
  return machine_.symbols.extreme(Opcode::SMax, count, {});
}

void Warp::leave_loop(std::uint32_t loop_index, BlockId from, LaneMask lanes, bool last) {
  const Loop &loop = machine_.flow.loops[loop_index];
  LoopState &state = loops_[loop_index];
  const auto &targets = program_.blocks[from].terminator.targets;
  const bool tested_first =
      from == loop.header && std::find(targets.begin(), targets.end(), loop.header) == targets.end();
  for_lanes(lanes, [&](unsigned lane) {
    Linear trips;
    for (const auto &[some, more] : state.entered_besides)
      if (some >> lane & 1)
        trips.add(more);
    trips.constant = static_cast<Wide>(state.entered[lane] - (tested_first && state.entered[lane] ? 1 : 0));
    if (std::find(state.trips.begin(), state.trips.end(), trips) == state.trips.end())
      state.trips.push_back(std::move(trips));
  });
  if (!last || state.trips.size() == 1)
    return;
  // Here, that is; where trips change from there to there, another number of them may decide otherwise.
  std::vector<std::uint64_t> here;
  for (const Linear &trips : state.trips)
    if (const auto number = static_cast<std::uint64_t>(trips.constant);
        std::find(here.begin(), here.end(), number) == here.end())
      here.push_back(number);
  const bool late = machine_.meets_late[loop_index] && here.size() > 1;
  if (!late && meet_as_rolled(here, false) && meet_as_rolled(here, true)) {
    for (const Linear &trips : state.trips)
      for (const auto &[dimension, coefficient] : trips.terms)
        scopes_.pin(dimension);
    return;
  }
  assume_rolled(loop_index, late);
}

void Warp::assume_rolled(std::uint32_t loop, bool late) {
  const OpenChoice open =
      late || !machine_.open(OpenChoice::UnevenLoop) ? OpenChoice::LateExit : OpenChoice::UnevenLoop;
  if (!machine_.open(open))
    return;
  const std::uint32_t assumption = machine_.assume(open);
  for (const SiteId site : machine_.innermost_sites[loop])
    scopes_.assume(site, assumption);
}

} // namespace smem
