// Branches: where lanes go on, under which conditions, and where they reconverge.
#include "warp.h"

#include <algorithm>

#include "race/assumed_values.h"
#include "race/race_watch.h"

namespace smem {
namespace {

constexpr std::size_t kMostPaths = 4096, kMostEdges = 32; ///< followed, and told apart, at once

bool comes_to(BlockId block, const Meeting &meeting) {
  return block == meeting.at || (block != kNone && meeting.inside[block]);
}

} // namespace

void Warp::take_phis(BlockId from, BlockId to, LaneMask mask, bool uncertain, std::uint32_t why_uncertain) {
  const auto &phis = program_.blocks[to].phis;
  if (phis.empty())
    return;
  std::vector<Value> values;
  values.reserve(phis.size());
  for (const Phi &phi : phis) {
    const bool one_source = std::all_of(phi.incoming.begin(), phi.incoming.end(),
                                        [&](const Phi::Incoming &i) { return i.value == phi.incoming[0].value; });
    const auto in =
        std::find_if(phi.incoming.begin(), phi.incoming.end(), [&](const Phi::Incoming &i) { return i.from == from; });
    if (uncertain && !one_source)
      values.push_back(make_unknown(phi.width, mask, why_uncertain));
    else
      values.push_back(read(in->value));
    values.back().unknown &= mask;
    values.back().width = phi.width;
  }
  for (std::size_t i = 0; i < phis.size(); ++i)
    write(phis[i].result, values[i], mask);
}

void Warp::join_phis(BlockId from, BlockId to, LaneMask mask, const Gates &gates) {
  const auto &phis = program_.blocks[to].phis;
  const auto waiting = std::find_if(paths_.rbegin(), paths_.rend(), [&](const Path &p) {
    return p.block == to && p.arrived && p.next == 0 && p.reconverge != to;
  });
  if (waiting == paths_.rend() || waiting->gates.size() >= gates.size())
    return take_phis(from, to, mask, false, 0);
  const LaneMask again = mask & waiting->merged;
  waiting->merged |= mask;
  if (phis.empty())
    return;
  std::vector<Value> before;
  for (const Phi &phi : phis)
    before.push_back(read(phi.result));
  take_phis(from, to, mask, false, 0);
  if (!again)
    return;
  // Several arms exclude each other: what this one brings where its conditions hold, else what was there.
  const std::uint32_t reason = machine_.symbols[gates.back()].reason;
  Value holds = arithmetic_.of_symbol(gates[waiting->gates.size()], 1, again);
  for (std::size_t i = waiting->gates.size() + 1; i < gates.size(); ++i) {
    const Value also = arithmetic_.of_symbol(gates[i], 1, again);
    holds = arithmetic_.opaque(static_cast<std::uint32_t>(Opcode::And), 0, {&holds, &also}, 1, again, reason);
  }
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const Value brought = read(phis[i].result);
    Value merged = brought;
    if (!equal(brought, before[i], again)) {
      const bool known = !((brought.unknown | before[i].unknown) & again);
      const Value apart = known ? arithmetic_.binary(Opcode::Sub, brought, before[i], again) : brought;
      if (known && warp_uniform(apart, again)) {
        const Value nothing = make_uniform(0, phis[i].width, again);
        const Value more = arithmetic_.opaque(static_cast<std::uint32_t>(Opcode::Select), 0, {&holds, &apart, &nothing},
                                              phis[i].width, again, reason);
        merged = arithmetic_.binary(Opcode::Add, before[i], more, again);
      } else {
        merged = make_unknown(phis[i].width, again,
                              known                       ? reason
                              : (brought.unknown & again) ? brought.reason
                                                          : before[i].reason);
      }
    }
    write(phis[i].result, merged, again);
  }
}

bool Warp::branch_on_symbol(const Value &condition, const Watch &watch) {
  const Path path = paths_.back();
  const BlockId from = path.block;
  const Terminator &end = program_.blocks[from].terminator;
  const LaneMask mask = path.mask;
  if (end.kind != TerminatorKind::Branch || path.why_uncertain || end.targets[0] == end.targets[1])
    return false;
  if ((condition.unknown & mask) || condition.terms.size() != 1 || !condition.has_symbol() ||
      !warp_uniform(condition, mask))
    return false;
  DimensionId holds = condition.terms[0].dimension;
  if (!machine_.symbols[holds].definition)
    return false;
  const bool inverse = condition.at(first_lane(mask)) & 1;
  const std::uint32_t reason = machine_.symbols[holds].reason;
  if (const auto kind = machine_.symbols[holds].definition->kind;
      kind == Definition::Kind::Operation || kind == Definition::Kind::Quantity) {
    Linear itself;
    itself.terms.emplace_back(holds, 1);
    holds = machine_.symbols.condition(Definition::Kind::NotZero, std::move(itself), reason);
  }
  const BlockId yes = end.targets[inverse ? 1 : 0], no = end.targets[inverse ? 0 : 1];

  // The way out of a loop?
  for (std::uint32_t l = machine_.flow.innermost_loop[from]; l != kNone; l = machine_.flow.loops[l].parent) {
    const Loop &loop = machine_.flow.loops[l];
    const bool stays = loop.contains[yes];
    if (stays == loop.contains[no])
      continue;
    if (l != machine_.flow.innermost_loop[from])
      return false; // out of several loops at once
    if (watch.staying && watch.header == loop.header && paths_.size() == watch.depth && mask == watch.mask) {
      watch.staying->several |= !watch.staying->conditions.empty() && watch.staying->from != from;
      watch.staying->from = from;
      watch.staying->conditions.push_back(stays ? holds : machine_.symbols.opposite(holds, reason));
      transfer(from, stays ? yes : no, 0);
      return true;
    }
    if (!loops_[l].exhausted)
      return false;
    loops_[l].exhausted = false;
    transfer(from, stays ? no : yes, 0);
    return true;
  }

  // Both ways are followed, each under its condition. What it depends on stands still; but how many blocks go which way can be
  // counted if the way depends on one coordinate.
  const Linear tested = machine_.symbols[holds].definition->operands[0];
  Linear still = tested;
  const auto moving =
      std::count_if(tested.terms.begin(), tested.terms.end(), [](const auto &t) { return !is_symbol(t.first); });
  const bool by_block = moving == 1 && is_digit(tested.terms[0].first) &&
                        machine_.symbols[holds].definition->kind == Definition::Kind::AtLeast0;
  if (!by_block) {
    for (const auto &[dimension, coefficient] : tested.terms)
      if (!is_symbol(dimension))
        scopes_.pin(dimension);
    std::erase_if(still.terms, [](const auto &t) { return !is_symbol(t.first); });
  }
  if (still.terms.empty())
    return false;
  if (!(still == tested))
    holds = machine_.symbols.condition(machine_.symbols[holds].definition->kind, still, reason);
  const DimensionId fails = machine_.symbols.opposite(holds, reason);

  const BlockId join = machine_.flow.immediate_post_dominator[from];
  miss_meetings(paths_.back(), join);
  if (join != kNone && join != paths_.back().reconverge) {
    paths_.back().wait_at(join, from);
  } else {
    paths_.pop_back();
  }
  for (const auto &[to, gate] : {std::pair{no, fails}, std::pair{yes, holds}}) {
    Path arm;
    arm.block = to;
    arm.mask = mask;
    arm.reconverge = join;
    arm.from = from;
    arm.arrived = true;
    arm.gates = path.gates;
    arm.gates.push_back(gate);
    if (to == join) {
      join_phis(from, join, mask, arm.gates);
      continue;
    }
    take_phis(from, to, mask, false, 0);
    paths_.push_back(std::move(arm));
  }
  return true;
}

void Warp::miss_meetings(Path &path, BlockId to) {
  while (path.meeting != kNone) {
    const Meeting &meeting = machine_.flow.meetings[path.meeting];
    if (comes_to(to, meeting))
      return;
    const auto waiting = std::find_if(paths_.rbegin(), paths_.rend(),
                                      [&](const Path &p) { return p.awaits == path.meeting && p.block == meeting.at; });
    waiting->mask &= ~path.mask;
    path.reconverge = waiting->reconverge;
    path.meeting = waiting->meeting;
  }
}

void Warp::transfer(BlockId from, BlockId to, std::uint32_t why_uncertain) {
  Path &path = paths_.back();
  miss_meetings(path, to);
  const bool joins = to == path.reconverge;
  if (joins && !why_uncertain) {
    const Path done = path;
    leave();
    join_phis(from, to, done.mask, done.gates);
    return;
  }
  take_phis(from, to, path.mask, joins && why_uncertain, why_uncertain);
  if (joins) {
    leave();
    return;
  }
  path.block = to;
  path.next = 0;
  path.from = from;
  path.arrived = true;
}

void Warp::diverge(const std::vector<std::pair<BlockId, LaneMask>> &edges, std::uint32_t why_uncertain, bool together) {
  const BlockId from = paths_.back().block;
  BlockId join = machine_.flow.immediate_post_dominator[from];
  if (why_uncertain)
    miss_meetings(paths_.back(), join); // it is not known which lanes come
  const Path top = paths_.back();
  if (top.meeting != kNone && (join == kNone || !machine_.flow.meetings[top.meeting].inside[join]))
    join = top.reconverge;
  const std::uint32_t below = top.why_uncertain;
  const std::uint32_t around = join == top.reconverge ? top.meeting : kNone;
  // The lanes wait at the join, unless the path below waits there for them already.
  if (join == kNone || join == top.reconverge) {
    paths_.pop_back();
  } else {
    paths_.back().wait_at(join, from);
  }
  std::uint32_t meeting = why_uncertain ? kNone : machine_.flow.meeting_behind[from];
  if (const std::uint32_t outer = machine_.flow.meeting_around[from];
      meeting == kNone && !why_uncertain && outer != kNone && top.meeting == kNone) {
    // All lanes went the same way at the branch before.
    const Meeting &open = machine_.flow.meetings[outer];
    if (join == kNone || (join != open.at && !open.inside[join]))
      meeting = outer;
  }
  const BlockId place = meeting == kNone ? join : machine_.flow.meetings[meeting].at;
  if (meeting != kNone) {
    Path waiting;
    waiting.mask = top.mask;
    waiting.reconverge = join;
    waiting.meeting = around;
    waiting.awaits = meeting;
    waiting.why_uncertain = below;
    waiting.gates = top.gates;
    waiting.edges = top.edges;
    waiting.wait_at(place, from);
    paths_.push_back(std::move(waiting));
  }
  ++machine_.branches_not_known;
  if (machine_.race_watch && paths_.size() > kMostPaths)
    machine_.hopeless = true; // a cycle that is no loop, of branches that are not known
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    if (!edge->second)
      continue;
    Path side;
    side.block = edge->first;
    side.mask = edge->second;
    side.reconverge = place;
    side.meeting = meeting == kNone ? around : meeting;
    if (!why_uncertain)
      miss_meetings(side, side.block);
    else if (side.meeting != kNone && !comes_to(side.block, machine_.flow.meetings[side.meeting]))
      side.meeting = kNone; // it traps, and which lanes do is not known: those that wait are waited for all the same
    const bool joins = side.block == side.reconverge;
    if (joins && !why_uncertain)
      join_phis(from, side.block, side.mask, top.gates);
    else
      take_phis(from, side.block, side.mask, joins && why_uncertain, why_uncertain);
    if (joins)
      continue;
    side.why_uncertain = why_uncertain ? why_uncertain : below;
    side.may_be_apart = top.may_be_apart || (why_uncertain && !together);
    side.gates = top.gates;
    side.edges = top.edges;
    if (why_uncertain && machine_.race_watch) {
      race::TakenEdges taken = top.edges ? *top.edges : race::TakenEdges{};
      if (taken.size() < kMostEdges)
        taken.emplace_back(machine_.branches_not_known, edge->first);
      side.edges = std::make_shared<const race::TakenEdges>(std::move(taken));
    }
    side.from = from;
    side.arrived = true;
    paths_.push_back(side);
  }
}

std::optional<Warp::Status> Warp::terminate(const Watch &watch) {
  Path &path = paths_.back();
  const BlockId from = path.block;
  const Terminator &end = program_.blocks[from].terminator;
  switch (end.kind) {
  case TerminatorKind::Jump: transfer(from, end.targets[0], path.why_uncertain); return std::nullopt;
  case TerminatorKind::Return:
  case TerminatorKind::Trap: {
    const LaneMask gone = path.mask;
    const bool uncertain = path.why_uncertain != 0 || !path.gates.empty();
    if (machine_.race_watch)
      machine_.race_watch->end(gone, uncertain);
    leave();
    if (!uncertain) {
      alive_ &= ~gone;
      for (Path &other : paths_)
        other.mask &= ~gone;
    }
    return std::nullopt;
  }
  case TerminatorKind::Branch:
  case TerminatorKind::Switch: break;
  }
  const Value condition = read(end.condition);
  const LaneMask mask = path.mask;
  if (machine_.assumed)
    machine_.assumed->decide(end);
  if (machine_.symbols.symbolic && branch_on_symbol(condition, watch))
    return std::nullopt;
  if (machine_.choices && choose_way(condition))
    return std::nullopt;
  if ((condition.unknown & mask) || condition.has_symbol()) {
    std::uint32_t reason =
        (condition.unknown & mask) ? condition.reason : machine_.symbols[condition.terms.back().dimension].reason;
    if (!reason)
      reason = machine_.reasons.add("a condition that is not known", end.location);
    if (const std::uint32_t loop = machine_.flow.innermost_loop[from]; loop != kNone && loops_[loop].no_formula)
      reason = loops_[loop].no_formula;
    if (machine_.race_watch)
      machine_.race_watch->branch_not_known(reason);
    std::vector<BlockId> targets = end.targets;
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    const std::uint32_t innermost = machine_.flow.innermost_loop[from];
    bool leaves = false;
    if (innermost != kNone)
      for (const BlockId to : targets)
        leaves |= !machine_.flow.loops[innermost].contains[to];
    if (leaves) {
      // Nobody knows how often the loop runs: visit its body once more with everything it changes unknown, then go on.
      LoopState &state = loops_[innermost];
      state.forget_phis = reason;
      if (state.forgotten_visits > 1)
        std::erase_if(targets, [&](BlockId to) { return machine_.flow.loops[innermost].contains[to]; });
    }
    std::vector<std::pair<BlockId, LaneMask>> edges;
    for (const BlockId to : targets)
      edges.emplace_back(to, mask);
    diverge(edges, reason, !(condition.unknown & mask) && warp_uniform(condition, mask));
    return std::nullopt;
  }
  const Value known = arithmetic_.fixed(condition, mask);
  if (scopes_.wished())
    return Status::Interrupted;
  std::vector<std::pair<BlockId, LaneMask>> edges;
  auto send = [&](BlockId to, LaneMask lanes) {
    for (auto &edge : edges)
      if (edge.first == to) {
        edge.second |= lanes;
        return;
      }
    edges.emplace_back(to, lanes);
  };
  if (end.kind == TerminatorKind::Branch) {
    LaneMask taken = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (known.at(lane))
        taken |= 1u << lane;
    });
    if (taken)
      send(end.targets[0], taken);
    if (mask & ~taken)
      send(end.targets[1], mask & ~taken);
  } else {
    for_lanes(mask, [&](unsigned lane) {
      BlockId to = end.targets[0];
      for (std::size_t c = 0; c < end.cases.size(); ++c)
        if (end.cases[c] == known.at(lane))
          to = end.targets[c + 1];
      send(to, 1u << lane);
    });
  }
  if (const std::uint32_t loop = machine_.flow.innermost_loop[from];
      loop != kNone && (!machine_.settled[loop] || machine_.meets_late[loop]) &&
      !machine_.innermost_sites[loop].empty())
    for (const auto &[to, lanes] : edges)
      if (!machine_.flow.loops[loop].contains[to])
        leave_loop(loop, from, lanes, lanes == mask);
  if (const std::uint32_t loop = machine_.guarded_loop[from]; loop != kNone && edges.size() > 1)
    assume_rolled(loop, /*late=*/false);
  if (edges.size() == 1)
    transfer(from, edges[0].first, path.why_uncertain);
  else
    diverge(edges, 0);
  return std::nullopt;
}

} // namespace smem
