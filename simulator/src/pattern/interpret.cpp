#include "interpret.h"

#include <algorithm>

#include "interpreter.h"

namespace smem::pattern {
namespace {

// Most kernels need one round or two. Those that take so many instructions, or rounds, finish in haste.
constexpr std::uint64_t kMostRounds = 48, kManyRounds = 8;
constexpr std::uint64_t kMostInstructions = 300'000;

} // namespace

Interpretation Interpreter::run(Experience &experience) {
  if (!experience.carried.empty())
    carried_ = experience.carried;
  std::uint64_t size = 1;
  for (const BasicBlock &block : program_.blocks)
    size += block.phis.size() + block.instructions.size();
  const std::uint64_t most = std::clamp(kMostInstructions / size, kManyRounds, kMostRounds);
  for (std::uint64_t round = 0; round < most + kMostRounds; ++round) {
    in_haste_ = round >= most;
    Interpretation out(constants_, supposed_);
    out.operations.resize(program_.memory_operations.size());
    round_ = &out;
    if (!once()) {
      if (round >= kManyRounds)
        remember(experience);
      return out;
    }
  }
  Interpretation none(constants_, supposed_);
  none.operations.resize(program_.memory_operations.size());
  none.settled = false;
  return none;
}

void Interpreter::remember(Experience &experience) const {
  if (!experience.carried.empty())
    return;
  experience.carried = carried_;
  for (Carried &state : experience.carried)
    if (state.stage == Carried::Stage::Unknown && state.why.kind == Why::Kind::Split)
      state = {};
}

bool Interpreter::once() {
  registers_.assign(program_.register_count, Value());
  activity_.assign(program_.blocks.size(), {});
  visited_.assign(program_.blocks.size(), false);
  conditions_ = {};
  extremes_.clear();
  shifted_left_.clear();
  changed_ = false;
  for (const BlockId block : convergence_.order()) {
    now_ = block;
    activity_[block] = activity_of(block);
    visited_[block] = true;
    mask_ = activity_[block].possible;
    if (!mask_)
      continue;
    take_phis(block);
    for (const Instruction &i : program_.blocks[block].instructions)
      instruction(i);
    const Terminator &end = program_.blocks[block].terminator;
    if (end.condition == kNone || convergence_.parts(block))
      continue;
    const Value condition = read(end.condition, block);
    if (!warp_uniform(condition, mask_) && has_ways(end))
      changed_ |= convergence_.part_at(block);
  }
  for (const Loop &loop : subject_.flow.loops)
    check(loop);
  return changed_;
}

Activity Interpreter::edge(BlockId from, BlockId to) {
  const Terminator &end = program_.blocks[from].terminator;
  const Activity &before = activity_[from];
  if (end.condition == kNone || !before.possible)
    return before;
  const bool all = std::all_of(end.targets.begin(), end.targets.end(), [&](BlockId t) { return t == to; });
  if (all)
    return before;
  const BlockId at = now_;
  now_ = from;
  const Value condition = read(end.condition, from);
  now_ = at;
  if (end.kind == TerminatorKind::Branch)
    return where(before, end.condition, condition, end.targets[0] == to);
  Activity out = before;
  for_lanes(before.possible, [&](unsigned lane) {
    bool known = !(condition.unknown >> lane & 1);
    for (const Term &t : condition.terms)
      known &= t.at(lane) == 0;
    if (!known) {
      out.when[lane] = Activity::kMaybe;
      return;
    }
    BlockId goes = end.targets[0];
    for (std::size_t c = 0; c < end.cases.size(); ++c)
      if (end.cases[c] == condition.at(lane))
        goes = end.targets[c + 1];
    if (goes != to)
      out.possible &= ~(1u << lane);
  });
  return out;
}

bool Interpreter::is_back_edge(BlockId from, BlockId to) const {
  for (BlockId b = from;; b = convergence_.dominator(b)) {
    if (b == to)
      return true;
    if (b == 0 || b == kNone)
      return false;
  }
}

Activity Interpreter::activity_of(BlockId block) {
  if (block == 0) {
    Activity all;
    all.possible = kFullMask;
    if (shape_ == BlockShape::Line || shape_ == BlockShape::Other)
      all.when.fill(Activity::kMaybe);
    return all;
  }
  if (const BlockId with = convergence_.together_with(block); with != kNone)
    return activity_[with];
  Activity out;
  bool first = true;
  for (const BlockId from : subject_.flow.predecessors[block]) {
    if (!visited_[from]) {
      if (is_back_edge(from, block))
        continue;
      out.possible = kFullMask; // a loop with several entries
      out.make_uncertain();
      return out;
    }
    const Activity in = edge(from, block);
    if (!in.possible)
      continue;
    out = first ? in : join(out, in);
    first = false;
  }
  const BlockId above = convergence_.dominator(block);
  if ((convergence_.apart(block) && !convergence_.apart(above)) || convergence_.out_of_step(block, above))
    out.make_uncertain();
  return out;
}

Why loaded_value(const Program &program, const MemoryOperation &operation) {
  Why why;
  why.kind = Why::Kind::Data;
  why.text = "a value read from memory";
  if (operation.site == kNone)
    return why;
  const Site &site = program.sites[operation.site];
  why.text = site.expression.empty() ? "a value" : "`" + site.expression + "`";
  why.text += operation.access.operation == Operation::Atomic ? " is what an atomic returns" : " is loaded from memory";
  why.location = site.location;
  return why;
}

Interpretation interpret(const Subject &subject, BlockShape shape, const Suppositions &supposed,
                         const std::vector<ParameterFact> &facts, Arithmetic &constants, Experience &experience) {
  return Interpreter(subject, shape, supposed, facts, constants).run(experience);
}

} // namespace smem::pattern
