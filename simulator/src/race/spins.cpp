#include "race/spins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "opcode_info.h"

namespace smem::race {
namespace {

/// The paths of a thread from a test that says that the phase is not complete.
class Retry {
public:
  Retry(const Program &program, const std::map<RegisterId, const Instruction *> &definitions, BlockId block,
        std::size_t at)
      : program_(program), definitions_(definitions), test_(program.blocks[block].instructions[at]), block_(block),
        at_(at), before_test_(program.blocks.size()), between_(program.blocks.size()),
        changes_(program.register_count) {
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId from = work.back();
      work.pop_back();
      if (before_test_[from] || from == block)
        continue;
      before_test_[from] = true;
      const std::vector<BlockId> &targets = program.blocks[from].terminator.targets;
      work.insert(work.end(), targets.begin(), targets.end());
    }
  }

  bool comes_back() {
    between_[block_] = true;
    return does_nothing(block_, at_ + 1, program_.blocks[block_].instructions.size()) && go_on(block_, {}) &&
           nothing_depends_on_changes();
  }

private:
  using Known = std::map<RegisterId, std::int64_t>; ///< of phis, as they were entered last

  bool does_nothing(BlockId block, std::size_t from, std::size_t to) const {
    const std::vector<Instruction> &all = program_.blocks[block].instructions;
    return std::none_of(all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to),
                        [](const Instruction &instruction) {
                          return instruction.opcode == Opcode::Mbarrier ||
                                 info(instruction.opcode).shape == Shape::Effect;
                        });
  }

  /// From the end of a block, by all edges that may be taken.
  bool go_on(BlockId from, const Known &known) {
    constexpr std::size_t kMost = 256;
    const Terminator &end = program_.blocks[from].terminator;
    if (end.kind ==
        TerminatorKind::Trap) // the kernel ends, as by an assertion of the toolkit's about how long it sleeps
      return true;
    if (end.kind != TerminatorKind::Jump && end.kind != TerminatorKind::Branch)
      return false;
    phis_ = known;
    const std::optional<std::int64_t> condition =
        end.kind == TerminatorKind::Branch ? value(end.condition, 0) : std::nullopt;
    for (std::size_t edge = 0; edge < end.targets.size(); ++edge) {
      if (condition && edge != (*condition ? 0U : 1U))
        continue;
      const BlockId to = end.targets[edge];
      phis_ = known;
      enter(from, to);
      if (to == block_) {
        if (!does_nothing(to, 0, at_))
          return false;
        continue;
      }
      if (!gone_.insert({from, to, phis_}).second)
        continue;
      between_[to] = true;
      if (gone_.size() > kMost || !does_nothing(to, 0, program_.blocks[to].instructions.size()) ||
          !go_on(to, Known(phis_)))
        return false;
    }
    return true;
  }

  void enter(BlockId from, BlockId to) {
    Known now = phis_;
    for (const Phi &phi : program_.blocks[to].phis) {
      const auto in = std::ranges::find(phi.incoming, from, &Phi::Incoming::from);
      if (in == phi.incoming.end() || in->value == phi.result)
        continue;
      const std::optional<std::int64_t> known = value(in->value, 0);
      if (known)
        now[phi.result] = *known;
      else
        now.erase(phi.result);
      // Another value than where it comes to the test for the first time, or one that is not known.
      if (std::ranges::any_of(phi.incoming, [&](const Phi::Incoming &other) {
            return other.value != in->value && (!known || before_test_[other.from]);
          }))
        changes_[phi.result] = true;
    }
    phis_ = std::move(now);
  }

  /// Such as how often it has come back.
  bool nothing_depends_on_changes() {
    const auto any = [&](const std::vector<RegisterId> &registers) {
      return std::ranges::any_of(registers, [&](RegisterId id) { return id != kNone && changes_[id]; });
    };
    for (bool more = true; more;) {
      more = false;
      const auto change = [&](RegisterId id) {
        more |= !changes_[id];
        changes_[id] = true;
      };
      for (const BasicBlock &block : program_.blocks) {
        for (const Phi &phi : block.phis)
          if (std::ranges::any_of(phi.incoming, [&](const Phi::Incoming &in) { return changes_[in.value]; }))
            change(phi.result);
        for (const Instruction &instruction : block.instructions)
          if (instruction.result != kNone && instruction.opcode != Opcode::Mbarrier && any(instruction.operands))
            change(instruction.result);
      }
    }
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      const BasicBlock &block = program_.blocks[id];
      if (!between_[id] && block.terminator.condition != kNone && changes_[block.terminator.condition])
        return false;
      for (const Instruction &instruction : block.instructions)
        if ((instruction.result == kNone || instruction.opcode == Opcode::Mbarrier) && any(instruction.operands))
          return false;
    }
    return std::ranges::none_of(program_.memory_operations, [&](const MemoryOperation &operation) {
      return any({operation.address, operation.source, operation.operand, operation.source_bytes,
                  operation.predicate}) ||
             any(operation.stored) || std::ranges::any_of(operation.parts, [&](const ValuePart &part) {
               return part.reg != kNone && changes_[part.reg];
             });
    });
  }

  std::optional<std::int64_t> value(RegisterId id, int depth) const {
    constexpr int kDeep = 16;
    if (id == test_.result)
      return 0;
    if (const auto phi = phis_.find(id); phi != phis_.end())
      return phi->second;
    const auto known = definitions_.find(id);
    if (known == definitions_.end() || depth > kDeep)
      return std::nullopt;
    const Instruction &instruction = *known->second;
    const std::int64_t all = mask(instruction.width);
    const auto operand = [&](std::size_t which) -> std::optional<std::int64_t> {
      const RegisterId from = instruction.operands[which];
      const std::optional<std::int64_t> each = value(from, depth + 1);
      return each ? std::optional(*each & mask(program_.register_width[from])) : std::nullopt;
    };
    // One operand may be enough.
    switch (instruction.opcode) {
    case Opcode::Constant: return instruction.immediate & all;
    case Opcode::Select: {
      const auto condition = operand(0);
      return condition ? operand(*condition ? 1 : 2) : std::nullopt;
    }
    case Opcode::And:
    case Opcode::Or:
      for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
        if (operand(which) == (instruction.opcode == Opcode::And ? 0 : all))
          return operand(which);
      break;
    default: break;
    }
    std::vector<std::int64_t> operands;
    for (std::size_t which = 0; which < instruction.operands.size(); ++which) {
      const auto each = operand(which);
      if (!each)
        return std::nullopt;
      operands.push_back(*each);
    }
    switch (instruction.opcode) {
    case Opcode::Truncate:
    case Opcode::ZeroExtend: return operands[0] & all;
    case Opcode::Eq: return operands[0] == operands[1];
    case Opcode::Ne: return operands[0] != operands[1];
    case Opcode::And: return operands[0] & operands[1];
    case Opcode::Or: return operands[0] | operands[1];
    case Opcode::Xor: return (operands[0] ^ operands[1]) & all;
    default: return std::nullopt;
    }
  }
  static std::int64_t mask(std::uint8_t width) { return width < 64 ? (std::int64_t{1} << width) - 1 : -1; }

  const Program &program_;
  const std::map<RegisterId, const Instruction *> &definitions_;
  const Instruction &test_;
  BlockId block_;
  std::size_t at_;
  std::vector<bool> before_test_; ///< by block: a thread may be there that has not come to the test
  std::vector<bool> between_;     ///< by block: between two tests
  std::vector<bool> changes_;     ///< by register: not the same each time
  std::set<std::tuple<BlockId, BlockId, Known>> gone_; ///< edges, and what was known at their ends
  Known phis_;
};

} // namespace

std::set<const Instruction *> find_spins(const Program &program) {
  std::set<const Instruction *> spins;
  if (!program.waits_in_memory)
    return spins;
  std::map<RegisterId, const Instruction *> definitions;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.result != kNone)
        definitions[instruction.result] = &instruction;
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    const std::vector<Instruction> &instructions = program.blocks[id].instructions;
    for (std::size_t at = 0; at < instructions.size(); ++at) {
      if (instructions[at].opcode != Opcode::Mbarrier)
        continue;
      const MbarrierOperation operation = MbarrierCall::unpack(instructions[at].immediate).operation;
      if ((operation == MbarrierOperation::Wait || operation == MbarrierOperation::WaitForParity) &&
          Retry(program, definitions, id, at).comes_back())
        spins.insert(&instructions[at]);
    }
  }
  return spins;
}

} // namespace smem::race
