// A warp of the block that stands for those of all launches: conditions of the launch are choices, and loops that end by one are
// executed for any iteration.
#include <algorithm>
#include <optional>
#include <utility>

#include "race/choices.h"
#include "race/race_watch.h"
#include "warp.h"

namespace smem {
namespace {

using race::Choices;

constexpr std::size_t kMostBefore = 4; ///< iterations to find after how many values come again

/// Symbols::of_block(): what a symbol stands for. warp_instructions.cpp has 0.
enum Stands : std::int64_t { Iteration = 1, Uniform = 2, Shared = 3, Vote = 4 };

/// One number for a loop's entry, and a phi of it.
std::int64_t number_of(std::uint32_t loop, std::uint32_t entry, std::size_t phi) {
  return (std::int64_t{loop} << 40) | (std::int64_t{entry} << 16) | static_cast<std::int64_t>(phi);
}

void append(Choices::Key &key, const Value &value, unsigned lane) {
  key.push_back(value.width);
  key.push_back(value.at(lane));
  for (const Term &term : value.terms) {
    key.push_back(term.dimension);
    key.push_back(term.at(lane));
  }
}

} // namespace

// Another thread's write between the same two barriers would race with the load, and nothing is said of launches whose threads race.
std::optional<DimensionId> Warp::symbol_in_block(const ValuePart &part, const Value &address, LaneMask mask,
                                                 std::uint32_t reason) {
  if (machine_.choices->of_class || part.reg == kNone || !machine_.decides_barrier[part.reg])
    return std::nullopt; // races in shared memory are not looked for, or no barrier depends on it
  Value place = address;
  if (!shared_offset(place, mask) || (place.unknown & mask) || !warp_uniform(place, mask))
    return std::nullopt;
  const std::uint64_t begin = static_cast<std::uint64_t>(place.at(first_lane(mask))) + part.byte_offset,
                      end = begin + (part.width + 7u) / 8;
  const std::vector<race::WarpAccess> &accesses = machine_.race_watch->accesses();
  for (auto own = accesses.rbegin(); own != accesses.rend() && own->warp == index_; ++own) {
    bool written = false;
    if (own->kind != race::Kind::Read)
      for_lanes(own->active, [&](unsigned lane) {
        written |= own->anywhere || (own->address[lane] < end && begin < own->address[lane] + own->bytes);
      });
    if (written)
      return std::nullopt;
  }
  const std::int64_t number =
      machine_.choices->number_of({static_cast<std::int64_t>(begin), part.width, static_cast<std::int64_t>(barriers_)});
  return machine_.symbols.of_block(Shared, number, reason);
}

DimensionId Warp::symbol_of_vote(const Instruction &instruction, std::uint32_t reason) {
  const std::int64_t number =
      machine_.choices->number_of({std::int64_t{instruction.result}, static_cast<std::int64_t>(barriers_)});
  return machine_.symbols.of_block(Vote, number, reason);
}

bool Warp::choose_way(const Value &condition) {
  const Path &path = paths_.back();
  if (path.why_uncertain || !machine_.guards_barrier[path.block] || !condition.has_symbol() ||
      !machine_.symbols.of_block(condition, path.mask))
    return false;
  const BlockId from = path.block;
  const Terminator &end = program_.blocks[from].terminator;
  std::vector<BlockId> targets = end.targets;
  if (end.kind == TerminatorKind::Switch) {
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  }
  const auto leaves = [&](std::uint32_t loop) {
    return !std::ranges::all_of(targets, [&](BlockId to) { return machine_.flow.loops[loop].contains[to]; });
  };
  const std::uint32_t innermost = machine_.flow.innermost_loop[from];
  // Without barriers threads are in any two iterations at once.
  for (std::uint32_t l = innermost; l != kNone; l = machine_.flow.loops[l].parent)
    if (leaves(l) && !machine_.has_barrier[l])
      return false;
  const unsigned lane = first_lane(path.mask);
  std::size_t taken = 0;
  if (end.kind == TerminatorKind::Branch) { // a sum of bits
    bool holds = condition.at(lane) & 1;
    for (const Term &term : condition.terms)
      if (term.at(lane) & 1)
        holds ^= machine_.choices->choose({1, term.dimension}, 2) == 1;
    taken = holds ? 0 : 1;
  } else {
    Choices::Key key{2, from};
    append(key, condition, lane);
    taken = machine_.choices->choose(key, targets.size());
  }
  const BlockId to = targets[taken];
  for (std::uint32_t l = innermost; l != kNone; l = machine_.flow.loops[l].parent)
    if (leaves(l) && machine_.flow.loops[l].contains[to])
      loops_[l].for_all.chosen = true;
  transfer(from, to, 0);
  return true;
}

Warp::Status Warp::on_header_for_all(std::uint32_t loop, const Path &path, bool entered) {
  if (!machine_.has_barrier[loop])
    return Status::Finished;
  ForAll &state = loops_[loop].for_all;
  const auto &phis = program_.blocks[machine_.flow.loops[loop].header].phis;
  if (entered) {
    entries_.resize(loops_.size());
    ++entries_[loop];
    state.barriers = barriers_;
    for (const Phi &phi : phis)
      state.first.push_back(read(phi.result));
    return Status::Finished;
  }
  ++state.iterations;
  const bool passed = std::exchange(state.barriers, barriers_) != barriers_;
  if (!state.chosen)
    return Status::Finished;
  if (!passed || state.closing) { // an interval with several iterations
    machine_.choices->fail();
    return Status::Interrupted;
  }
  if (!state.begins) {
    begin_any_iteration(loop, path.mask);
    if (state.begins)
      machine_.choices->begins(loop, index_, {barriers_, entries_[loop], alive_, path.mask, paths_.size()});
    if (machine_.choices->failed)
      return Status::Interrupted;
  } else if (state.iterations == state.begins + state.period) {
    if (!any_iteration_kept(loop, path.mask))
      return Status::Interrupted;
    state.closing = true;
    machine_.choices->closes(loop, index_, {barriers_, entries_[loop], alive_, path.mask, paths_.size()});
  }
  return Status::Finished;
}

void Warp::begin_any_iteration(std::uint32_t loop_index, LaneMask mask) {
  const Loop &loop = machine_.flow.loops[loop_index];
  ForAll &state = loops_[loop_index].for_all;
  Choices &choices = *machine_.choices;
  const auto &phis = program_.blocks[loop.header].phis;
  if (state.iterations < choices.period)
    return;
  std::vector<std::optional<Value>> steps(phis.size()); // of an iteration
  bool again = true;                                    // what does not move by steps is what it was at the beginning
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const Value &now = read(phis[i].result);
    if (now.unknown & mask)
      continue;
    if (loop.inductions[i].known && choices.kept(loop_index, i) == Choices::Kept::Value) {
      Value step = make_uniform(0, phis[i].width, mask);
      for (const RegisterId r : loop.inductions[i].added)
        step = arithmetic_.binary(Opcode::Add, step, read(r), mask);
      for (const RegisterId r : loop.inductions[i].subtracted)
        step = arithmetic_.binary(Opcode::Sub, step, read(r), mask);
      if (!(step.unknown & mask) && step.constant()) {
        steps[i] = std::move(step);
        continue;
      }
    }
    again &= choices.kept(loop_index, i) != Choices::Kept::Value || equal(now, state.first[i], mask);
  }
  if (!again && state.iterations < kMostBefore)
    return;
  state.period = again ? state.iterations : choices.period;
  state.begins = state.iterations;
  const std::uint32_t entry = entries_[loop_index];
  if (!choices.agree({number_of(loop_index, entry, 0), -1},
                     {static_cast<std::int64_t>(state.begins), static_cast<std::int64_t>(state.period)}))
    choices.fail(); // warps of which each would be in another iteration
  const std::uint32_t reason = machine_.reasons.add("a value that changes from one iteration to the next");
  choices.any_iteration = reason;
  unsigned signed_width = 0; // of all counters, if none wraps around
  for (std::size_t i = 0; i < phis.size(); ++i)
    if (steps[i])
      signed_width = loop.inductions[i].fits && (!signed_width || signed_width == phis[i].width) ? phis[i].width : 1;
  for (std::size_t i = 0; i < phis.size(); ++i) {
    Value start = read(phis[i].result);
    Choices::Kept kept = choices.kept(loop_index, i);
    if (!again && !steps[i] && kept == Choices::Kept::Value && !equal(start, state.first[i], mask))
      kept = Choices::Kept::Uniform;
    if (start.unknown & mask) {
      start = make_unknown(phis[i].width, mask, start.reason);
    } else if (steps[i]) {
      const Value period = make_uniform(static_cast<std::int64_t>(state.period), phis[i].width, mask);
      const Value any = arithmetic_.of_symbol(
          machine_.symbols.of_block(Iteration, number_of(loop_index, entry, 0), reason, true, signed_width),
          phis[i].width, mask);
      const Value moved =
          arithmetic_.binary(Opcode::Mul, arithmetic_.binary(Opcode::Mul, *steps[i], period, mask), any, mask);
      if (moved.unknown & mask)
        start = make_unknown(phis[i].width, mask, reason);
      else
        add_terms(start, moved, 1, mask);
    } else if (kept != Choices::Kept::Value) {
      const Value moved = arithmetic_.binary(Opcode::Sub, start, state.first[i], mask);
      if (kept == Choices::Kept::Uniform && warps_agree(loop_index, i, 0, moved, mask))
        add_terms(start,
                  arithmetic_.of_symbol(machine_.symbols.of_block(Uniform, number_of(loop_index, entry, i), reason),
                                        phis[i].width, mask),
                  1, mask);
      else
        start = make_unknown(phis[i].width, mask, reason);
    }
    write(phis[i].result, start, mask);
    state.any.push_back(std::move(start));
  }
  local_.forget_all();
  state.copies = machine_.race_watch->copies_under_way();
}

bool Warp::any_iteration_kept(std::uint32_t loop_index, LaneMask mask) {
  const Loop &loop = machine_.flow.loops[loop_index];
  const ForAll &state = loops_[loop_index].for_all;
  Choices &choices = *machine_.choices;
  const auto &phis = program_.blocks[loop.header].phis;
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const Value &start = state.any[i], &end = read(phis[i].result);
    if (start.unknown & mask) // not in all lanes, perhaps
      continue;
    Value expected = start;
    bool uniform = choices.kept(loop_index, i) == Choices::Kept::Uniform;
    for (const Term &term : start.terms)
      uniform |=
          term.dimension == machine_.symbols.of_block(Uniform, number_of(loop_index, entries_[loop_index], i), 0);
    bool kept = !(end.unknown & mask);
    if (kept && uniform) {
      kept = warps_agree(loop_index, i, 1, arithmetic_.binary(Opcode::Sub, end, start, mask), mask);
    } else if (kept) {
      const DimensionId iteration =
          machine_.symbols.of_block(Iteration, number_of(loop_index, entries_[loop_index], 0), 0);
      for (const Term &term : start.terms)
        if (term.dimension == iteration) { // one more of them
          Value more = make_uniform(0, phis[i].width, mask);
          more.uniform = false;
          more.base.fill(0);
          for_lanes(mask, [&](unsigned lane) { more.base[lane] = canonical(term.at(lane), phis[i].width); });
          compact(more, mask);
          expected = arithmetic_.binary(Opcode::Add, expected, more, mask);
        }
      kept = equal(end, expected, mask);
    }
    if (!kept)
      choices.weaken(loop_index, i);
  }
  if (state.copies != machine_.race_watch->copies_under_way())
    choices.fail();
  return !choices.again && !choices.failed;
}

bool Warp::warps_agree(std::uint32_t loop, std::size_t phi, int place, const Value &value, LaneMask mask) {
  if (!machine_.symbols.of_block(value, mask))
    return false;
  Choices::Key key;
  append(key, value, first_lane(mask));
  return machine_.choices->agree({number_of(loop, entries_[loop], phi), place}, key);
}

} // namespace smem
