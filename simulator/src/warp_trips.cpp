// Loops that are executed one iteration after the other, and that the steps left do not bring to their end.
#include <algorithm>
#include <optional>

#include "race/race_watch.h"
#include "warp.h"

namespace smem {

/// `moving` < or <= or != `limit`, or the other way round, for another iteration.
struct Warp::Comparison {
  RegisterId moving = kNone, limit = kNone;
  bool ordered = false; ///< <, <=, >, >=; else !=
  bool rising = false;  ///< < or <=
  bool closed = false;  ///< <= or >=
  bool is_signed = false;

  /// How often it holds from `now` on, at least.
  std::uint64_t holds_for(Wide now, Wide last, Wide step) const;
};

namespace {

struct LoopExit {
  BlockId block = kNone;
  bool stays_if = false; ///< what the condition is for another iteration
};

/// The only branch out of the loop, on a condition; nullopt where there are others.
std::optional<LoopExit> only_exit(const Program &program, const Loop &loop) {
  LoopExit exit;
  for (BlockId block = 0; block < program.blocks.size(); ++block) {
    const Terminator &end = program.blocks[block].terminator;
    if (!loop.contains[block] || std::ranges::all_of(end.targets, [&](BlockId to) { return bool{loop.contains[to]}; }))
      continue;
    if (exit.block != kNone || end.kind != TerminatorKind::Branch)
      return std::nullopt;
    exit = {block, bool{loop.contains[end.targets[0]]}};
    if (loop.contains[end.targets[1]] == loop.contains[end.targets[0]])
      return std::nullopt;
  }
  return exit.block != kNone ? std::optional(exit) : std::nullopt;
}

const Instruction *definition_in(const Program &program, const Loop &loop, RegisterId reg) {
  for (BlockId block = 0; block < program.blocks.size(); ++block)
    if (loop.contains[block])
      for (const Instruction &instruction : program.blocks[block].instructions)
        if (instruction.result == reg)
          return &instruction;
  return nullptr;
}

/// Something that threads of other warps wait for, or what is looked at when it is met.
bool has_barriers(const Program &program, const Loop &loop) {
  for (BlockId block = 0; block < program.blocks.size(); ++block)
    if (loop.contains[block] && std::ranges::any_of(program.blocks[block].instructions, [](const Instruction &each) {
          return each.opcode >= Opcode::Barrier;
        }))
      return true;
  return false;
}

} // namespace

std::optional<Warp::Comparison> Warp::comparison_of(const Instruction &instruction, bool stays_if, bool swapped) {
  Comparison c{instruction.operands[swapped], instruction.operands[!swapped]};
  switch (instruction.opcode) {
  case Opcode::Eq:
  case Opcode::Ne: return (instruction.opcode == Opcode::Ne) == stays_if ? std::optional(c) : std::nullopt;
  case Opcode::ULt:
  case Opcode::ULe:
  case Opcode::SLt:
  case Opcode::SLe:
    c.ordered = true;
    c.rising = stays_if != swapped; // a < b, or b > a, or not a >= b
    c.closed = (instruction.opcode == Opcode::ULe || instruction.opcode == Opcode::SLe) == stays_if;
    c.is_signed = instruction.opcode == Opcode::SLt || instruction.opcode == Opcode::SLe;
    return c;
  default: return std::nullopt;
  }
}

std::uint64_t Warp::Comparison::holds_for(Wide now, Wide last, Wide step) const {
  Wide left = ordered && !rising ? now - last : last - now;
  if (ordered ? rising != (step > 0) : left % step != 0 || left / step < 0)
    return 0; // or until numbers wrap around
  if (!ordered)
    return static_cast<std::uint64_t>(left / step);
  const Wide each = step > 0 ? step : -step;
  left += closed ? each : each - 1;
  return left > 0 ? static_cast<std::uint64_t>(left / each) : 0;
}

std::uint64_t Warp::iterations_left(const Loop &loop, LaneMask mask) const {
  const std::optional<LoopExit> exit = only_exit(program_, loop);
  const RegisterId condition = exit ? program_.blocks[exit->block].terminator.condition : kNone;
  const Instruction *compares = condition != kNone ? definition_in(program_, loop, condition) : nullptr;
  if (!compares || compares->operands.size() != 2)
    return 0;
  const auto &phis = program_.blocks[loop.header].phis;
  for (std::size_t i = 0; i < phis.size(); ++i) {
    const auto back =
        std::ranges::find_if(phis[i].incoming, [&](const Phi::Incoming &in) { return bool{loop.contains[in.from]}; });
    const RegisterId next = back != phis[i].incoming.end() ? back->value : kNone;
    const auto moves = [&](RegisterId reg) { return reg == phis[i].result || reg == next; };
    if (!loop.inductions[i].known || moves(compares->operands[0]) == moves(compares->operands[1]))
      continue;
    const std::optional<Comparison> c = comparison_of(*compares, exit->stays_if, moves(compares->operands[1]));
    return c ? iterations_left(loop, loop.inductions[i], *c, phis[i].result, mask) : 0;
  }
  return 0;
}

/// `phi`: the number that moves, when an iteration begins.
std::uint64_t Warp::iterations_left(const Loop &loop, const Induction &induction, const Comparison &c, RegisterId phi,
                                    LaneMask mask) const {
  const auto is_number = [&](RegisterId reg) { return !(read(reg).unknown & mask) && !read(reg).has_symbol(); };
  const Instruction *constant = definition_in(program_, loop, c.limit);
  if (constant ? constant->opcode != Opcode::Constant
               : std::ranges::find(loop.defined, c.limit) != loop.defined.end() || !is_number(c.limit))
    return 0;
  if (!is_number(phi) || !std::ranges::all_of(induction.added, is_number) ||
      !std::ranges::all_of(induction.subtracted, is_number))
    return 0;
  const unsigned width = program_.register_width[phi];
  std::uint64_t least = UINT64_MAX;
  for_lanes(mask, [&](unsigned lane) {
    std::int64_t step = 0;
    for (const RegisterId reg : induction.added)
      step = canonical(step + read(reg).at(lane), width);
    for (const RegisterId reg : induction.subtracted)
      step = canonical(step - read(reg).at(lane), width);
    const auto number = [&](std::int64_t value) {
      return c.is_signed ? Wide{canonical(value, width)} : Wide{as_unsigned(value, width)};
    };
    const std::int64_t limit = constant ? constant->immediate : read(c.limit).at(lane);
    least = step ? std::min(least, c.holds_for(number(read(phi).at(lane)), number(limit), step)) : 0;
  });
  return least;
}

bool Warp::is_too_long(std::uint32_t loop_index, LaneMask mask) {
  constexpr std::uint64_t kShare = 64;
  constexpr double kClearly = 1.5; // times what is left: iterations differ a little
  constexpr std::uint64_t kFirstLook = 256;
  LoopState &state = loops_[loop_index];
  const std::uint64_t budget = machine_.options.max_steps;
  if (++state.stepped < state.look_at || machine_.symbols.symbolic)
    return false;
  state.look_at = std::max(2 * state.stepped, kFirstLook);
  const std::uint64_t taken = machine_.steps - state.stepped_from;
  if (state.stepped < kFirstLook || taken < budget / kShare)
    return false;
  const Loop &loop = machine_.flow.loops[loop_index];
  // What comes before a barrier is looked at when the barrier is met.
  if (machine_.race_watch && (machine_.race_watch->sync || has_barriers(program_, loop)))
    return false;
  const double needed = static_cast<double>(iterations_left(loop, mask)) *
                        (static_cast<double>(taken) / static_cast<double>(state.stepped));
  const double left = static_cast<double>(budget - std::min(budget, machine_.steps));
  if (needed <= kClearly * std::max(left, 1.0) || needed <= static_cast<double>(budget))
    return false;
  constexpr double kMost = 1e18;
  machine_.least_budget = static_cast<std::uint64_t>(std::min(needed, kMost));
  machine_.hopeless = true;
  return true;
}

} // namespace smem
