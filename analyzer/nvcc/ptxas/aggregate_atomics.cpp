#include "nvcc/ptxas/aggregate_atomics.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <utility>
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

/// `threadIdx.x == 0`: what is only behind it is for one lane to ptxas, and left alone. That blocks may have rows shorter than a warp, several of whose lanes have the same threadIdx.x, does not
/// stop it, nor that `threadIdx.x % 3 == 0` holds of many. Of 72 conditions, nvcc 13.0: a number of 32 bits is compared with a constant or a parameter, and it is threadIdx.x, with a constant added, or its
/// remainder by a number that is no power of two. Of sums with anything else some are, too, as ptxas has written them.
class SingleThreads {
public:
  SingleThreads(const Program &program, const WarpValues &values)
      : program_(program), values_(values), behind_(program.blocks.size()) {
    for (BlockId id = 0; id < program_.blocks.size(); ++id)
      if (const auto guard = guarded(id))
        mark(id, guard->first, guard->second);
  }

  /// Varying: ptxas takes a single thread to come there. Uniform: it does not.
  Sharing sharing(BlockId id) const { return behind_[id]; }

private:
  const Instruction *defining(RegisterId id) const { return values_.defining(id); }

  bool is_thread(RegisterId id) const {
    const Instruction *instruction = defining(id);
    if (!instruction || instruction->opcode != Opcode::Special)
      return false;
    const auto which = static_cast<SpecialRegister>(instruction->immediate);
    return which == SpecialRegister::ThreadX || which == SpecialRegister::Lane;
  }

  bool is_constant(RegisterId id) const { return defining(id) && defining(id)->opcode == Opcode::Constant; }

  bool is_given(RegisterId id) const {
    return is_constant(id) || (defining(id) && defining(id)->opcode == Opcode::Argument);
  }

  /// Varying: in the form in which ptxas recognises one thread.
  Sharing form_of(RegisterId id, unsigned depth = 0) const {
    constexpr unsigned kDeepest = 4;
    const Instruction *instruction = defining(id);
    if (is_thread(id))
      return Sharing::Varying;
    if (!instruction || depth == kDeepest)
      return Sharing::Uniform;
    const std::vector<RegisterId> &from = instruction->operands;
    switch (instruction->opcode) {
    case Opcode::SRem:
    case Opcode::URem:
      return is_thread(from[0]) && is_constant(from[1]) &&
                     !std::has_single_bit(static_cast<std::uint64_t>(std::abs(defining(from[1])->immediate)))
                 ? Sharing::Varying
                 : Sharing::Uniform;
    case Opcode::Add:
      for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
        if (is_thread(from[which]) && is_constant(from[1 - which]))
          return Sharing::Varying;
      [[fallthrough]];
    case Opcode::Sub:
      return std::ranges::any_of(from, [&](RegisterId each) { return form_of(each, depth + 1) != Sharing::Uniform; })
                 ? Sharing::Unclear
                 : Sharing::Uniform;
    default: return Sharing::Uniform;
    }
  }

  /// The target of a branch that one thread takes, and how sure ptxas is of that.
  std::optional<std::pair<BlockId, Sharing>> guarded(BlockId id) const {
    const Terminator &terminator = program_.blocks[id].terminator;
    const Instruction *condition = defining(terminator.condition);
    if (terminator.kind != TerminatorKind::Branch || !condition ||
        (condition->opcode != Opcode::Eq && condition->opcode != Opcode::Ne) ||
        terminator.targets[0] == terminator.targets[1])
      return std::nullopt;
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
      const RegisterId compared = condition->operands[which], with = condition->operands[1 - which];
      Sharing form = program_.register_width[compared] == 32 ? form_of(compared) : Sharing::Uniform;
      if (form != Sharing::Uniform &&
          !is_given(with)) // behind another reduction it recognises any number that lanes share
        form = values_.sharing(with, id) == Sharing::Varying ? Sharing::Uniform : Sharing::Unclear;
      if (form != Sharing::Uniform)
        return std::pair(terminator.targets[condition->opcode == Opcode::Eq ? 0 : 1], form);
    }
    return std::nullopt;
  }

  /// Blocks that are reached by this edge only.
  void mark(BlockId from, BlockId to, Sharing form) {
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
        behind_[id] = std::max(behind_[id], form);
  }

  const Program &program_;
  const WarpValues &values_;
  std::vector<Sharing> behind_; ///< by block
};

} // namespace

void aggregate_atomics(Program &program, bool certain) {
  if (std::none_of(program.memory_operations.begin(), program.memory_operations.end(), is_candidate))
    return;
  const WarpValues values(program);
  const SingleThreads single(program, values);
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    if (single.sharing(id) == Sharing::Varying)
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
      const bool open = !certain || address == Sharing::Unclear || added == Sharing::Unclear ||
                        single.sharing(id) == Sharing::Unclear;
      if (open && operation.site != kNone)
        program.sites[operation.site].assumption = assumption(Uncertainty::AtomicAggregation);
    }
  }
}

} // namespace smem::lower
