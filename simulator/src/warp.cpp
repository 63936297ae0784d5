#include "warp.h"

#include <algorithm>

#include "race/assumed_values.h"
#include "race/choices.h"
#include "race/lines.h"
#include "race/race_watch.h"
#include "smem/fence.h"

namespace smem {
namespace {

constexpr std::size_t kMostPaths = 4096, kMostEdges = 32; ///< followed, and told apart, at once
constexpr std::int64_t kOfLaunch = 0; ///< Symbols::of_block(): special registers; warp_choices.cpp has the others

} // namespace

Warp::Warp(Machine &machine, Scopes &scopes, std::uint32_t index, CellMemory *shared)
    : machine_(machine), program_(machine.program), scopes_(scopes),
      arithmetic_(scopes, machine.symbols, machine.reasons, machine.floating), index_(index), shared_(shared),
      registers_(machine.places.width.size()), loops_(machine.flow.loops.size()) {
  const std::uint64_t threads = machine.launch.block.count();
  const std::uint64_t first = std::uint64_t{index} * kWarpSize;
  const std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - first);
  alive_ = lanes == kWarpSize ? kFullMask : (1u << lanes) - 1;
  for (std::size_t i = 0; i < registers_.size(); ++i)
    registers_[i].width = machine.places.width[i];
  Path path;
  path.mask = alive_;
  paths_.push_back(path);
}

Warp::Status Warp::run(bool stop_at_barriers) {
  stop_at_barriers_ = stop_at_barriers;
  return execute({});
}

Warp::Status Warp::execute(const Watch &watch) {
  while (!paths_.empty()) {
    if (watch.header != kNone && paths_.size() < watch.depth)
      return Status::Escaped;
    Path &path = paths_.back();
    if (!path.mask) {
      paths_.pop_back();
      continue;
    }
    if (path.arrived) {
      path.arrived = false;
      path.awaits = kNone;
      path.merged = 0;
      if (watch.header != kNone && paths_.size() == watch.depth &&
          !machine_.flow.loops[machine_.flow.loop_of_header[watch.header]].contains[path.block])
        return Status::Escaped;
      const std::uint32_t loop = machine_.flow.loop_of_header[path.block];
      if (loop != kNone) {
        const Status status = on_header(loop, path, watch);
        if (status != Status::Finished)
          return status;
        if (paths_.empty())
          continue; // a loop without an end
      }
    }
    Path &current = paths_.back();
    if (machine_.symbols.symbolic)
      machine_.symbols.set_gates(current.gates);
    const BasicBlock &block = program_.blocks[current.block];
    while (current.next < block.instructions.size()) {
      if (++machine_.steps, machine_.out_of_steps())
        return Status::OutOfSteps;
      instruction(block.instructions[current.next++], current);
      if (scopes_.wished())
        return Status::Interrupted;
      if (barrier_pending_) {
        barrier_pending_ = false;
        return Status::AtBarrier;
      }
    }
    if (++machine_.steps, machine_.out_of_steps())
      return Status::OutOfSteps;
    if (const auto status = terminate(watch))
      return *status;
  }
  return watch.header == kNone ? Status::Finished : Status::Escaped;
}

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

void Warp::leave() { paths_.pop_back(); }

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
    if (to == meeting.at || (to != kNone && meeting.inside[to]))
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
    miss_meetings(side, side.block);
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

Value Warp::block_index(unsigned axis, unsigned width, LaneMask mask) {
  Value out = make_uniform(canonical(scopes_.box().corner(axis), width), width, mask);
  for (DimensionId d = 0; d < scopes_.box().digits.size(); ++d) {
    const Digit &digit = scopes_.box().digits[d];
    if (digit.axis == axis && digit.extent > 1)
      out.terms.push_back({d, digit.weight, nullptr});
  }
  return out;
}

Value Warp::special(const Instruction &instruction, LaneMask mask) {
  const Launch &launch = machine_.launch;
  const auto which = static_cast<SpecialRegister>(instruction.immediate);
  const unsigned width = instruction.width;
  Value out = make_uniform(0, width, mask);
  auto per_lane = [&](auto &&f) {
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask, [&](unsigned lane) { out.base[lane] = canonical(static_cast<std::int64_t>(f(lane)), width); });
    compact(out, mask);
    return out;
  };
  const auto of_launch = [&] {
    return arithmetic_.of_symbol(
        machine_.symbols.of_block(kOfLaunch, instruction.immediate, machine_.reasons.add("the grid is not known")),
        width, mask);
  };
  auto grid = [&](unsigned axis, std::uint32_t extent) {
    if (machine_.choices && !machine_.choices->of_class)
      return of_launch();
    return machine_.open_grid[axis] ? arithmetic_.of_symbol(machine_.grid_symbol(axis), width, mask)
                                    : make_uniform(extent, width, mask);
  };
  auto uniform = [&](std::uint64_t value) { return make_uniform(static_cast<std::int64_t>(value), width, mask); };
  auto block = [&](unsigned axis) {
    return machine_.choices && !machine_.choices->of_class ? of_launch() : block_index(axis, width, mask);
  };
  const std::uint64_t first = std::uint64_t{index_} * kWarpSize;
  switch (which) {
  case SpecialRegister::ThreadX: return per_lane([&](unsigned lane) { return (first + lane) % launch.block.x; });
  case SpecialRegister::ThreadY:
    return per_lane([&](unsigned lane) { return (first + lane) / launch.block.x % launch.block.y; });
  case SpecialRegister::ThreadZ:
    return per_lane([&](unsigned lane) { return (first + lane) / (std::uint64_t{launch.block.x} * launch.block.y); });
  case SpecialRegister::BlockX: return block(0);
  case SpecialRegister::BlockY: return block(1);
  case SpecialRegister::BlockZ: return block(2);
  case SpecialRegister::BlockDimX: return uniform(launch.block.x);
  case SpecialRegister::BlockDimY: return uniform(launch.block.y);
  case SpecialRegister::BlockDimZ: return uniform(launch.block.z);
  case SpecialRegister::GridDimX: return grid(0, launch.grid.x);
  case SpecialRegister::GridDimY: return grid(1, launch.grid.y);
  case SpecialRegister::GridDimZ: return grid(2, launch.grid.z);
  case SpecialRegister::Lane: return per_lane([](unsigned lane) { return lane; });
  case SpecialRegister::WarpInBlock: return uniform(index_);
  case SpecialRegister::WarpSize: return uniform(kWarpSize);
  case SpecialRegister::LaneMaskLt: return per_lane([](unsigned lane) { return (1u << lane) - 1; });
  case SpecialRegister::LaneMaskLe: return per_lane([](unsigned lane) { return (2ull << lane) - 1; });
  case SpecialRegister::LaneMaskEq: return per_lane([](unsigned lane) { return 1u << lane; });
  case SpecialRegister::LaneMaskGe: return per_lane([](unsigned lane) { return ~((1u << lane) - 1); });
  case SpecialRegister::LaneMaskGt:
    return per_lane([](unsigned lane) { return ~static_cast<std::uint32_t>((2ull << lane) - 1); });
  case SpecialRegister::DynamicSharedSize: return uniform(launch.dynamic_shared_bytes);
  case SpecialRegister::TotalSharedSize: return uniform(machine_.shared_bytes);
  }
  return out;
}

Value Warp::map_to_other_block(const Instruction &instruction, LaneMask mask) {
  Value address = read(instruction.operands[0]);
  const Value other = arithmetic_.fixed(read(instruction.operands[1]), mask);
  if ((address.unknown | other.unknown) & mask)
    return make_unknown(instruction.width, mask, (address.unknown & mask) ? address.reason : other.reason);
  auto lanes = std::make_shared<Lanes>();
  lanes->fill(0);
  for_lanes(mask, [&](unsigned lane) { (*lanes)[lane] = other.at(lane); });
  Value leap = make_uniform(0, instruction.width, mask);
  leap.terms.push_back({machine_.other_block, 0, std::move(lanes)});
  address.width = instruction.width;
  add_terms(address, leap, 1, mask);
  return address;
}

/// Lanes that end need not come to a barrier; those that go on, to another one or to memory, do.
void Warp::report_passed_by(LaneMask mask) {
  if (!(mask & passed_by_))
    return;
  passed_by_ = 0;
  Problem problem;
  problem.kind = Problem::Kind::DivergentBarrier;
  problem.message = "a block barrier is reached by only some lanes of a warp";
  if (passed_at_->index < program_.places.size())
    problem.location = program_.places[passed_at_->index];
  scopes_.report(std::move(problem));
}

void Warp::barrier(const Instruction &instruction, const Path &path) {
  if (machine_.race_watch)
    watch_barrier(instruction, path);
  if (path.why_uncertain)
    return;
  report_passed_by(path.mask);
  find_missed(path.mask);
  if (const LaneMask others = alive_ & ~path.mask) {
    passed_by_ |= others;
    passed_at_ = &instruction;
    miss_lanes(others, path.block);
  }
  barrier_pending_ = stop_at_barriers_;
  if (machine_.choices) {
    ++barriers_;
    for (std::uint32_t l = machine_.flow.innermost_loop[path.block]; l != kNone; l = machine_.flow.loops[l].parent)
      if (loops_[l].for_all.closing)
        machine_.choices->close(l);
  }
}

void Warp::instruction(const Instruction &i, Path &path) {
  const LaneMask mask = path.mask;
  auto operand = [&](std::size_t n) -> const Value & { return read(i.operands[n]); };
  const auto all_operands = [&] {
    std::vector<const Value *> all;
    for (const RegisterId reg : i.operands)
      all.push_back(&read(reg));
    return all;
  };
  switch (i.opcode) {
  case Opcode::Constant: write(i.result, make_uniform(i.immediate, i.width, mask), mask); return;
  case Opcode::Undefined: write(i.result, make_uniform(0, i.width, mask), mask); return;
  case Opcode::Special: write(i.result, special(i, mask), mask); return;
  case Opcode::Argument: write(i.result, machine_.argument(i, mask, arithmetic_), mask); return;
  case Opcode::SharedAddress: {
    const SharedArray &array = program_.shared_arrays[i.index];
    const std::uint64_t offset = array.dynamic ? machine_.layout.dynamic_offset : machine_.layout.offset[i.index];
    write(i.result, make_uniform(static_cast<std::int64_t>(offset), i.width, mask), mask);
    return;
  }
  case Opcode::LocalAddress:
    write(i.result, arithmetic_.of_symbol(machine_.local_symbol(i.index), i.width, mask), mask);
    return;
  case Opcode::GlobalAddress:
    write(i.result, arithmetic_.of_symbol(machine_.global_symbol(i.index), i.width, mask), mask);
    return;
  case Opcode::Popcount:
  case Opcode::CountLeadingZeros:
  case Opcode::CountTrailingZeros:
  case Opcode::ReverseBits:
  case Opcode::ReverseBytes: write(i.result, arithmetic_.unary(i.opcode, operand(0), i.width, mask), mask); return;
  case Opcode::FunnelLeft:
  case Opcode::FunnelRight:
    write(i.result, arithmetic_.funnel(i.opcode, operand(0), operand(1), operand(2), mask), mask);
    return;
  case Opcode::Truncate:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend: {
    Value result = arithmetic_.resize(i.opcode, operand(0), i.width, mask);
    if (machine_.race_watch && (result.unknown & mask) == mask && (operand(0).unknown & mask))
      result.choice = race::line_resized(i.opcode, operand(0), i.width, mask);
    write(i.result, result, mask);
    return;
  }
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::ULt:
  case Opcode::ULe:
  case Opcode::SLt:
  case Opcode::SLe:
    write(i.result, arithmetic_.compare(i.opcode, operand(0), operand(1), mask, machine_.use_of_condition[i.result]),
          mask);
    return;
  case Opcode::Select: write(i.result, arithmetic_.select(operand(0), operand(1), operand(2), mask), mask); return;
  case Opcode::SharedToGeneric:
  case Opcode::GenericToShared: {
    Value address = operand(0);
    address.choice.reset(); // of lanes that are not known
    if (!(address.unknown & mask)) {
      address.width = i.width;
      add_terms(address, arithmetic_.of_symbol(machine_.shared_window, i.width, mask),
                i.opcode == Opcode::SharedToGeneric ? 1 : -1, mask);
    }
    write(i.result, address, mask);
    return;
  }
  case Opcode::MapToOtherBlock: write(i.result, map_to_other_block(i, mask), mask); return;
  case Opcode::FAdd:
  case Opcode::FSub:
  case Opcode::FMul:
  case Opcode::FDiv:
  case Opcode::FRem:
  case Opcode::FMin:
  case Opcode::FMax:
  case Opcode::FFma:
  case Opcode::FSqrt:
  case Opcode::FRound:
  case Opcode::FEq:
  case Opcode::FNe:
  case Opcode::FLt:
  case Opcode::FLe:
  case Opcode::FToS:
  case Opcode::FToU:
  case Opcode::SToF:
  case Opcode::UToF:
  case Opcode::FResize:
    write(i.result, arithmetic_.floating(i.opcode, FloatMode::unpack(i.immediate), all_operands(), i.width, mask),
          mask);
    return;
  case Opcode::Agree:
    write(i.result,
          arithmetic_.agreement(all_operands(), i.width, mask, machine_.reasons.add(program_.reasons[i.index])), mask);
    return;
  case Opcode::Shuffle:
  case Opcode::ShuffleOk: write(i.result, exchange(i, mask), mask); return;
  case Opcode::ActiveMask:
    if (machine_.race_watch) { // a guess of which lanes come together is no proof
      write(i.result, make_unknown(i.width, mask, machine_.reasons.add("which lanes execute together")), mask);
      return;
    }
    write(i.result,
          path.why_uncertain ? make_unknown(i.width, mask, path.why_uncertain)
                             : make_uniform(static_cast<std::int64_t>(mask), i.width, mask),
          mask);
    return;
  case Opcode::Ballot:
  case Opcode::VoteAll:
  case Opcode::VoteAny:
  case Opcode::VoteUniform:
  case Opcode::MatchAny:
  case Opcode::MatchAll:
  case Opcode::Reduce:
    write(i.result, path.why_uncertain ? make_unknown(i.width, mask, path.why_uncertain) : gather(i, mask), mask);
    return;
  case Opcode::Opaque: {
    std::vector<const Value *> operands;
    for (std::size_t n = 0; n < i.operands.size(); ++n)
      operands.push_back(&operand(n));
    const std::uint32_t reason = machine_.reasons.add(
        i.index < program_.reasons.size() ? program_.reasons[i.index] : "an operation that is not modelled");
    // Without operands there is nothing that two executions would have in common (a clock, say).
    write(i.result,
          operands.empty() || machine_.race_watch ? make_unknown(i.width, mask, reason)
                                                  : arithmetic_.opaque(static_cast<std::uint32_t>(Opcode::Opaque),
                                                                       i.index, operands, i.width, mask, reason),
          mask);
    return;
  }
  case Opcode::Memory: memory(program_.memory_operations[i.index], i.index, path); return;
  case Opcode::Barrier: barrier(i, path); return;
  case Opcode::WarpBarrier:
    if (machine_.race_watch)
      machine_.race_watch->warp_barrier(i, path.mask, alive_, path.why_uncertain != 0);
    return;
  case Opcode::BarrierArrive:
    if (machine_.race_watch)
      watch_barrier(i, path);
    return;
  case Opcode::Fence:
    if (machine_.race_watch) {
      if (i.immediate == kGridBarrier && !path.why_uncertain && !machine_.race_watch->sync)
        return machine_.race_watch->grid_barrier(path.mask, alive_);
      machine_.race_watch->fenced = true;
      if (i.immediate == kProxyFence)
        machine_.race_watch->fence_proxies(path.mask, path.why_uncertain != 0);
    }
    return;
  case Opcode::CopyCommit:
  case Opcode::BulkCommit:
    if (machine_.race_watch)
      machine_.race_watch->copy_commit(mask, i.opcode == Opcode::BulkCommit, path.why_uncertain != 0);
    return;
  case Opcode::Mbarrier: mbarrier(i, path); return;
  case Opcode::BulkCopy:
    if (machine_.race_watch && !machine_.race_watch->global)
      watch_bulk_copy(i, path);
    return;
  case Opcode::WarpMembers:
    if (machine_.race_watch)
      watch_members(i, path);
    else
      miss_lanes(i, path);
    return;
  case Opcode::CopyWait:
  case Opcode::BulkWait:
    if (machine_.race_watch)
      machine_.race_watch->copy_wait(mask, i.immediate, i.opcode == Opcode::BulkWait, path.why_uncertain != 0);
    return;
  default: break;
  }
  Value result = arithmetic_.binary(i.opcode, operand(0), operand(1), mask);
  if (machine_.race_watch && (result.unknown & mask) == mask)
    result.choice = race::line_of(i, operand(0), operand(1), mask);
  write(i.result, result, mask);
  if (arithmetic_.take_division_by_zero()) {
    Problem problem;
    problem.kind = Problem::Kind::DivisionByZero;
    problem.message = "division by zero";
    if (i.index < program_.places.size())
      problem.location = program_.places[i.index];
    if (!path.why_uncertain)
      scopes_.report(std::move(problem));
  }
}

} // namespace smem
