#include "nvcc/ptxas/aggregate_atomics.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "nvcc/ptxas/warp_values.h"
#include "nvcc/uncertainties.h"

namespace smem::lower {
namespace {

bool is_sum(AtomicKind kind) { return kind == AtomicKind::Add || kind == AtomicKind::Increment; }

bool is_reduction(AtomicKind kind) {
  return is_sum(kind) || kind == AtomicKind::Min || kind == AtomicKind::Max || kind == AtomicKind::And ||
         kind == AtomicKind::Or || kind == AtomicKind::Xor;
}

/// Only the 32-bit ones have an instruction of their own.
bool is_candidate(const MemoryOperation &operation) {
  const Access &access = operation.access;
  return access.operation == Operation::Atomic && access.space == Space::Shared &&
         operation.space == AddressSpace::Shared && access.width_bits == 32 && operation.predicate == kNone &&
         (access.result_used ? is_sum(access.atomic) : is_reduction(access.atomic));
}

/// Results of sums are told apart by the lanes before each: of one addend by their number, of several by a scan, which takes all lanes of the warp.
Sharing sharing_of_addend(const MemoryOperation &operation, const WarpValues &values, BlockId id) {
  if (!operation.access.result_used || operation.access.atomic == AtomicKind::Increment)
    return Sharing::Uniform;
  return operation.operand == kNone ? Sharing::Unclear : values.sharing(operation.operand, id);
}

/// `threadIdx.x == 0`: what is only behind it is for one lane to ptxas, and left alone. That blocks may have rows shorter than a warp, several of whose lanes have the
/// same threadIdx.x, does not stop it. A limit that is loaded or read from a special register is none.
class SingleThreads {
public:
  explicit SingleThreads(const Program &program) : program_(program), definitions_(program.register_count) {
    for (const BasicBlock &block : program_.blocks)
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          definitions_[instruction.result] = &instruction;
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      if (const std::optional<BlockId> taken = guarded(id))
        mark(id, *taken);
  }

  bool alone(BlockId id) const { return alone_.contains(id); }

private:
  const Instruction *defining(RegisterId id) const { return id == kNone ? nullptr : definitions_[id]; }

  bool is_thread(RegisterId id) const {
    const Instruction *instruction = defining(id);
    if (!instruction || instruction->opcode != Opcode::Special)
      return false;
    const auto which = static_cast<SpecialRegister>(instruction->immediate);
    return which == SpecialRegister::ThreadX || which == SpecialRegister::Lane;
  }

  /// Made of constants and arguments.
  bool is_given(RegisterId id) const {
    const Instruction *instruction = defining(id);
    return instruction &&
           (instruction->opcode == Opcode::Constant || instruction->opcode == Opcode::Argument ||
            ((instruction->opcode == Opcode::Add || instruction->opcode == Opcode::Sub) &&
             std::ranges::all_of(instruction->operands, [&](RegisterId each) { return is_given(each); })));
  }

  /// The target of a branch that one thread takes.
  std::optional<BlockId> guarded(BlockId id) const {
    const Terminator &terminator = program_.blocks[id].terminator;
    const Instruction *condition = defining(terminator.condition);
    if (terminator.kind != TerminatorKind::Branch || !condition ||
        (condition->opcode != Opcode::Eq && condition->opcode != Opcode::Ne) ||
        terminator.targets[0] == terminator.targets[1])
      return std::nullopt;
    const RegisterId left = condition->operands[0], right = condition->operands[1];
    if (!(is_thread(left) && is_given(right)) && !(is_thread(right) && is_given(left)))
      return std::nullopt;
    return terminator.targets[condition->opcode == Opcode::Eq ? 0 : 1];
  }

  /// Blocks that are reached by this edge only.
  void mark(BlockId from, BlockId to) {
    std::vector<bool> otherwise(program_.blocks.size());
    std::vector<BlockId> work{0};
    otherwise[0] = true;
    while (!work.empty()) {
      const BlockId id = work.back();
      work.pop_back();
      for (const BlockId next : program_.blocks[id].terminator.targets)
        if (!otherwise[next] && !(id == from && next == to)) {
          otherwise[next] = true;
          work.push_back(next);
        }
    }
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      if (!otherwise[id])
        alone_.insert(id);
  }

  const Program &program_;
  std::vector<const Instruction *> definitions_; ///< by register
  std::set<BlockId> alone_;
};

} // namespace

void aggregate_atomics(Program &program) {
  if (std::none_of(program.memory_operations.begin(), program.memory_operations.end(), is_candidate))
    return;
  const WarpValues values(program);
  const SingleThreads single(program);
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    if (single.alone(id))
      continue;
    for (const Instruction &instruction : program.blocks[id].instructions) {
      if (instruction.opcode != Opcode::Memory)
        continue;
      MemoryOperation &operation = program.memory_operations[instruction.index];
      if (!is_candidate(operation))
        continue;
      const Sharing address = values.sharing(operation.address, id);
      if (address == Sharing::Varying)
        continue;
      const Sharing added = sharing_of_addend(operation, values, id);
      operation.aggregation = added == Sharing::Varying ? Aggregation::OfAllLanes : Aggregation::Always;
      if (std::max(address, added) == Sharing::Unclear && operation.site != kNone)
        program.sites[operation.site].assumption = assumption(Uncertainty::AtomicAggregation);
    }
  }
}

} // namespace smem::lower
