// The abstract interpretation of a kernel that interpret() runs: values of one warp over what is not known of a launch.
//
// interpret.cpp has the rounds and which lanes come to a block, interpret_joins.cpp what blocks and loops take over from those before, interpret_inputs.cpp what the
// launch gives, interpret_instruction.cpp what instructions make of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convergence.h"
#include "extremes.h"
#include "interpret.h"

namespace smem::pattern {

class Interpreter {
public:
  Interpreter(const Subject &subject, BlockShape shape, const Suppositions &supposed,
              const std::vector<ParameterFact> &facts, Arithmetic &constants)
      : subject_(subject), program_(subject.program), shape_(shape), supposed_(supposed), facts_(facts),
        constants_(constants), convergence_(subject.program, subject.flow), carried_(program_.register_count),
        undefined_(program_.register_count) {
    for (const BasicBlock &block : program_.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Undefined)
          undefined_[i.result] = true;
  }

  /// In rounds, until nothing that is supposed of loops has to be given up.
  Interpretation run(Experience &experience);

private:
  /// What was hard to find out. What other suppositions may mend is tried again.
  void remember(Experience &experience) const;

  Domain &domain() { return round_->domain; }
  static Why other(std::string text, SourceLocation location = {}) {
    Why why;
    why.text = std::move(text);
    why.location = std::move(location);
    return why;
  }
  /// Whether anything that was supposed has to be given up.
  bool once();

  // --- Which lanes come to a block
  static bool has_ways(const Terminator &end) {
    return std::any_of(end.targets.begin(), end.targets.end(), [&](BlockId to) { return to != end.targets[0]; });
  }
  Activity edge(BlockId from, BlockId to);
  /// The lanes in which a condition is `wanted`. What is known of a comparison is not known of what is computed from it, which has its reason, too.
  Activity where(const Activity &from, RegisterId condition, const Value &value, bool wanted) {
    const Why &why = domain().why(value.reason);
    return conditions_.where(from, value, wanted, why.key == key(condition) ? why.rivals : std::nullopt);
  }
  bool is_back_edge(BlockId from, BlockId to) const;
  Activity activity_of(BlockId block);

  // --- Registers
  Value read(RegisterId reg, BlockId at) { return as_read(registers_[reg], at); }
  Value as_read(const Value &value, BlockId at);
  Value lost_in_loop(unsigned width, BlockId branch);
  std::string key(RegisterId reg) const { return std::string("r").append(std::to_string(reg)); }
  /// A value that the block's execution decides.
  Value decided_here(const std::string &name_of, unsigned grain, unsigned width, const std::string &name,
                     std::optional<std::int64_t> least = {}, std::optional<std::int64_t> most = {});

  // --- Joins and loops
  void take_phis(BlockId block);
  RegisterId incoming(const Phi &phi, BlockId from) const;
  Why divergence(BlockId block);
  Value joined(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges);
  /// Lanes that may come along several edges.
  Value several_ways(BlockId block, const Phi &phi, const std::vector<std::pair<BlockId, Activity>> &edges,
                     const std::vector<Value> &from, LaneMask lanes);
  Value carried(BlockId block, const Phi &phi, Value entry);
  const Induction *induction(BlockId block, const Phi &phi) const;
  Value step_of(BlockId block, const Phi &phi);
  /// Each iteration multiplies it by a constant power of two.
  bool doubles(BlockId block, const Phi &phi) const;
  void check(const Loop &loop);
  /// Nothing of the value is decided in the loop.
  bool stays(const Value &value, const Loop &loop);

  // --- What the launch gives
  Value launch_constant(const std::string &name, unsigned width, std::int64_t scale, std::int64_t least,
                        std::optional<std::int64_t> most);
  Value by_lane(unsigned width, auto &&f) {
    Value out = make_uniform(0, width, mask_);
    out.uniform = false;
    out.base.fill(0);
    for_lanes(mask_, [&](unsigned lane) { out.base[lane] = canonical(static_cast<std::int64_t>(f(lane)), width); });
    compact(out, mask_);
    return out;
  }
  Value special(const Instruction &i);
  Value argument(const Instruction &i);
  /// A quantity of which the code says something. One that is a multiple is a multiple of a quantity without facts.
  Value of_facts(const ArgumentFacts &facts, Quantity q, unsigned width);
  /// `key`: of this memory alone, as names need not be.
  Value window(const std::string &key, const std::string &name, Quantity::Memory memory, std::uint64_t alignment,
               unsigned width);

  // --- Instructions
  /// `(x << k) >> k`, as compilers extend the lowest bits of x, which may well wrap around.
  std::optional<Value> extended_in_register(const Instruction &i, const std::vector<Value> &values,
                                            const std::string &own);
  /// Of a shift to the left by a constant.
  void note_shift(const Instruction &i, const std::vector<Value> &values);
  void write(RegisterId reg, Value value);
  void instruction(const Instruction &i);
  Value exchange(const Instruction &i, const std::vector<Value> &values, const std::string &own);
  /// Every lane has a local memory of its own.
  bool may_be_local(const MemoryOperation &operation, const Seen &seen);
  void memory(std::uint32_t index);

  const Subject &subject_;
  const Program &program_;
  const BlockShape shape_;
  const Suppositions &supposed_;
  const std::vector<ParameterFact> &facts_;
  Arithmetic &constants_;
  Convergence convergence_;
  std::vector<Carried> carried_; ///< by register
  std::vector<bool> undefined_;  ///< by register
  std::map<RegisterId, Value> entries_;

  // Of one round.
  Interpretation *round_ = nullptr;
  std::vector<Value> registers_;
  std::vector<Activity> activity_;
  std::vector<bool> visited_;
  Conditions conditions_;
  struct ShiftedLeft {
    RegisterId value;
    std::int64_t amount;
  };
  std::map<RegisterId, ShiftedLeft> shifted_left_; ///< results of shifts by constants
  Extremes extremes_{[this](const Value &value) { return as_read(value, now_); }};
  bool changed_ = false;
  bool in_haste_ = false; ///< to come to an end rather than to know more
  BlockId now_ = 0;
  LaneMask mask_ = 0;
};

} // namespace smem::pattern
