// What lanes of a warp tell each other: shuffles, votes, matches, reductions.
#include "warp.h"

#include "shuffle.h"

#include <algorithm>
#include <optional>

namespace smem {
namespace {

/// What `lane` holds, for every lane of `mask`.
Value held_by(const Value &value, unsigned lane, unsigned width, LaneMask mask) {
  Value out = value;
  out.uniform = true;
  out.base[0] = value.at(lane);
  for (Term &term : out.terms) {
    term.uniform = term.at(lane);
    term.lanes.reset();
  }
  std::erase_if(out.terms, [](const Term &term) { return term.uniform == 0; });
  out.unknown = (value.unknown >> lane & 1) ? mask : 0;
  out.width = static_cast<std::uint8_t>(width);
  return out;
}

/// Whether two lanes hold the same value; nullopt if that depends on what is still open.
std::optional<bool> equal_lanes(const Value &value, unsigned a, unsigned b) {
  if (std::any_of(value.terms.begin(), value.terms.end(), [&](const Term &term) { return term.at(a) != term.at(b); }))
    return std::nullopt;
  return value.at(a) == value.at(b);
}

} // namespace

Value Warp::exchange(const Instruction &instruction, LaneMask mask) {
  const Value &value = read(instruction.operands[0]);
  const bool predicate = instruction.opcode == Opcode::ShuffleOk;
  const Value by = arithmetic_.fixed(read(instruction.operands[1]), mask),
              clamp = arithmetic_.fixed(read(instruction.operands[2]), mask);
  if ((by.unknown | clamp.unknown) & mask)
    return make_unknown(instruction.width, mask, (by.unknown & mask) ? by.reason : clamp.reason);
  Value out = make_uniform(0, instruction.width, mask);
  spread(out);
  const auto mode = static_cast<ShuffleMode>(instruction.immediate);
  for_lanes(mask, [&](unsigned lane) {
    const auto [source, ok] =
        shuffle_source(mode, lane, static_cast<unsigned>(by.at(lane)), static_cast<unsigned>(clamp.at(lane)));
    if (predicate) {
      out.base[lane] = ok;
      return;
    }
    if (!(mask >> source & 1)) {
      out.unknown |= 1u << lane;
      out.reason = machine_.reasons.add("a shuffle reads a lane that is not active");
      return;
    }
    assign(out, held_by(value, source, instruction.width, 1u << lane), 1u << lane);
  });
  compact(out, mask);
  return out;
}

Value Warp::gather(const Instruction &instruction, LaneMask mask) {
  const Value &named = read(instruction.operands[1]);
  const auto beside = machine_.beside_group.find(instruction.result);
  const auto assume_together = [&] {
    if (beside == machine_.beside_group.end())
      return;
    const std::uint32_t assumption = machine_.assume(OpenChoice::LaneGroups);
    for (const SiteId site : beside->second)
      scopes_.assume(site, assumption);
  };
  if ((named.unknown & mask) || named.has_symbol()) {
    assume_together();
    return make_unknown(instruction.width, mask,
                        (named.unknown & mask) ? named.reason : machine_.symbols[named.terms.back().dimension].reason);
  }
  const Value members = arithmetic_.fixed(named, mask);
  Groups groups{};
  bool strangers = false;
  for_lanes(mask, [&](unsigned lane) {
    groups[lane] = static_cast<LaneMask>(members.at(lane)) & mask;
    strangers |= !(groups[lane] >> lane & 1);
  });
  if (!warp_uniform(members, mask))
    assume_together();
  if (strangers)
    return make_unknown(instruction.width, mask,
                        machine_.reasons.add("a lane is not in the mask of members that it names"));
  switch (instruction.opcode) {
  case Opcode::MatchAny:
  case Opcode::MatchAll: return match(instruction, groups, mask);
  case Opcode::Reduce: return reduce(instruction, groups, mask);
  default: return vote(instruction, groups, mask);
  }
}

void Warp::miss_lanes(const Instruction &instruction, const Path &path) {
  if (path.why_uncertain) {
    if (path.may_be_apart)
      assume_reconverged(path.block);
    return;
  }
  const Value &named = read(instruction.operands[0]);
  if ((named.unknown & path.mask) || named.has_symbol())
    return;
  LaneMask members = 0;
  for_lanes(path.mask, [&](unsigned lane) { members |= static_cast<LaneMask>(named.at(lane)); });
  miss_lanes(members & alive_ & ~path.mask, path.block);
}

void Warp::miss_lanes(LaneMask missing, BlockId block) {
  if (!missing || machine_.race_watch)
    return;
  const auto before = std::ranges::find(missed_, block, &std::pair<LaneMask, BlockId>::second);
  if (before == missed_.end())
    missed_.emplace_back(missing, block);
  else
    before->first |= missing;
}

void Warp::find_missed(LaneMask mask) {
  std::erase_if(missed_, [&](const std::pair<LaneMask, BlockId> &missed) {
    if (!(missed.first & mask))
      return false;
    assume_reconverged(missed.second);
    return true;
  });
}

void Warp::assume_reconverged(BlockId after) {
  if (!machine_.open(OpenChoice::MissingLanes))
    return;
  const std::uint32_t assumption = machine_.assume(OpenChoice::MissingLanes);
  for (const SiteId site : machine_.sites_from(after))
    scopes_.assume(site, assumption);
}

Value Warp::told_alike(const Value &operand, unsigned width, const Groups &groups, LaneMask mask) {
  const std::uint32_t reason =
      (operand.unknown & mask) ? operand.reason : machine_.symbols[operand.terms.back().dimension].reason;
  if (groups[first_lane(mask)] != mask)
    return make_unknown(width, mask, reason);
  return arithmetic_.of_symbol(machine_.symbols.add({1, reason, Symbol::Window::None, kNone}), width, mask);
}

Value Warp::vote(const Instruction &instruction, const Groups &groups, LaneMask mask) {
  const Value &operand = read(instruction.operands[0]);
  if ((operand.unknown & mask) || operand.has_symbol())
    return told_alike(operand, instruction.width, groups, mask);
  const Value value = arithmetic_.fixed(operand, mask);
  LaneMask holds = 0;
  for_lanes(mask, [&](unsigned lane) {
    if (value.at(lane))
      holds |= 1u << lane;
  });
  Value out = make_uniform(0, instruction.width, mask);
  spread(out);
  for_lanes(mask, [&](unsigned lane) {
    const LaneMask set = holds & groups[lane];
    switch (instruction.opcode) {
    case Opcode::Ballot: out.base[lane] = canonical(set, instruction.width); break;
    case Opcode::VoteAll: out.base[lane] = set == groups[lane]; break;
    case Opcode::VoteAny: out.base[lane] = set != 0; break;
    default: out.base[lane] = set == groups[lane] || !set; break;
    }
  });
  compact(out, mask);
  return out;
}

Value Warp::match(const Instruction &instruction, const Groups &groups, LaneMask mask) {
  const Value &value = read(instruction.operands[0]);
  if (value.unknown & mask)
    return make_unknown(instruction.width, mask, value.reason);
  bool depends = false;
  const auto peers_of = [&](const Value &each, unsigned lane) {
    LaneMask same = 0;
    for_lanes(groups[lane], [&](unsigned other) {
      const std::optional<bool> equal = equal_lanes(each, lane, other);
      depends |= !equal;
      if (equal.value_or(false))
        same |= 1u << other;
    });
    return same;
  };
  for_lanes(mask, [&](unsigned lane) { peers_of(value, lane); });
  if (depends && value.has_symbol())
    return make_unknown(instruction.width, mask, machine_.symbols[value.terms.back().dimension].reason);
  const Value fixed = depends ? arithmetic_.fixed(value, mask) : value;
  Value out = make_uniform(0, instruction.width, mask);
  spread(out);
  for_lanes(mask, [&](unsigned lane) {
    const LaneMask same = peers_of(fixed, lane);
    out.base[lane] =
        canonical(instruction.opcode == Opcode::MatchAny || same == groups[lane] ? same : 0, instruction.width);
  });
  compact(out, mask);
  return out;
}

Value Warp::reduce(const Instruction &instruction, const Groups &groups, LaneMask mask) {
  const Value value = read(instruction.operands[0]);
  if ((value.unknown & mask) && groups[first_lane(mask)] == mask)
    return told_alike(value, instruction.width, groups, mask);
  Value out = make_uniform(0, instruction.width, mask);
  LaneMask done = 0;
  for_lanes(mask, [&](unsigned leader) {
    const LaneMask group = groups[leader];
    if (done >> leader & 1)
      return;
    done |= group;
    std::optional<Value> total;
    for_lanes(group, [&](unsigned lane) {
      const Value one = held_by(value, lane, instruction.width, group);
      total = total ? arithmetic_.binary(static_cast<Opcode>(instruction.immediate), *total, one, group) : one;
    });
    assign(out, *total, group);
  });
  compact(out, mask);
  return out;
}

} // namespace smem
