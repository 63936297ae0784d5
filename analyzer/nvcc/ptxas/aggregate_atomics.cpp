#include "nvcc/ptxas/aggregate_atomics.h"

#include <algorithm>

#include "nvcc/facts/special_registers.h"
#include "nvcc/uncertainties.h"
#include "program/control_flow.h"

namespace smem::lower {
namespace {

/// Which registers the compiler knows to be the same in all lanes, and which blocks all lanes of a warp reach together. Read
/// off sm_90 machine code: loads from such addresses count, threadIdx.y and threadIdx.x / 32 do not.
class Uniformity {
public:
  /// Where lanes come from different blocks into one, a value that is the same in all of these may still count as varying.
  enum class Joins { Vary, KeepValues };

  Uniformity(Program &program, Joins joins)
      : program_(program), flow_(program), joins_(joins), varies_(program.register_count),
        diverges_(program.blocks.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId id = 0; id < program_.blocks.size(); ++id)
        changed |= visit(id);
    }
  }

  bool varies(RegisterId id) const { return id != kNone && varies_[id]; }
  bool diverges(BlockId id) const { return diverges_[id]; }

private:
  bool set(RegisterId id) {
    const bool changed = !varies_[id];
    varies_[id] = true;
    return changed;
  }

  static bool is_varying_leaf(const Instruction &instruction) {
    switch (instruction.opcode) {
    case Opcode::Special: return differs_between_lanes(static_cast<SpecialRegister>(instruction.immediate));
    case Opcode::LocalAddress:
    case Opcode::Shuffle:
    case Opcode::ShuffleOk:
    case Opcode::MatchAny:
    case Opcode::Undefined: return true;
    default: return false;
    }
  }

  bool visit(BlockId id) {
    bool changed = false;
    const BasicBlock &block = program_.blocks[id];
    if (!diverges_[id])
      for (BlockId branch : flow_.control_dependence(id))
        if (diverges_[branch] || varies(program_.blocks[branch].terminator.condition)) {
          diverges_[id] = true;
          changed = true;
          break;
        }
    for (const Phi &phi : block.phis) {
      const bool mixed = std::any_of(phi.incoming.begin(), phi.incoming.end(), [&](const Phi::Incoming &incoming) {
        return varies(incoming.value) ||
               (joins_ == Joins::Vary &&
                (diverges_[incoming.from] || varies(program_.blocks[incoming.from].terminator.condition)));
      });
      if (mixed)
        changed |= set(phi.result);
    }
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Memory) {
        const MemoryOperation &operation = program_.memory_operations[instruction.index];
        const bool load = operation.access.operation == Operation::Load;
        if (operation.access.operation == Operation::Atomic || operation.access.operation == Operation::MatrixLoad ||
            (load && varies(operation.address)))
          for (const ValuePart &part : operation.parts)
            if (part.reg != kNone)
              changed |= set(part.reg);
      } else if (instruction.result != kNone) {
        if (is_varying_leaf(instruction) || std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                                        [&](RegisterId each) { return varies(each); }))
          if ((instruction.opcode != Opcode::VoteAll && instruction.opcode != Opcode::VoteAny) ||
              varies(instruction.operands[1]))
            changed |= set(instruction.result);
      }
    }
    return changed;
  }

  Program &program_;
  ControlFlow flow_;
  Joins joins_;
  std::vector<bool> varies_, diverges_;
};

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

} // namespace

void aggregate_atomics(Program &program) {
  if (std::none_of(program.memory_operations.begin(), program.memory_operations.end(), is_candidate))
    return;
  const Uniformity uniform(program, Uniformity::Joins::Vary), perhaps(program, Uniformity::Joins::KeepValues);
  const auto emit = [&](std::vector<Instruction> &code, Opcode opcode, std::uint8_t width, std::vector<RegisterId> from,
                        std::int64_t immediate = 0) {
    const RegisterId result = program.register_count++;
    program.register_width.push_back(width);
    code.push_back({opcode, width, result, kNone, immediate, std::move(from)});
    return result;
  };
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    const bool diverges = uniform.diverges(id);
    std::vector<Instruction> code;
    for (Instruction &instruction : program.blocks[id].instructions) {
      if (instruction.opcode == Opcode::Memory) {
        MemoryOperation &operation = program.memory_operations[instruction.index];
        const bool open = diverges ? !perhaps.varies(operation.address)
                                   : uniform.varies(operation.address) && !perhaps.varies(operation.address);
        if (open && is_candidate(operation) && operation.site != kNone) {
          program.sites[operation.site].assumption = assumption(Uncertainty::AtomicAggregation);
        } else if (is_candidate(operation) && !uniform.varies(operation.address)) {
          const RegisterId lane = emit(code, Opcode::Special, 32, {}, static_cast<std::int64_t>(SpecialRegister::Lane));
          const RegisterId active = emit(code, Opcode::ActiveMask, 32, {});
          const RegisterId first = emit(code, Opcode::CountTrailingZeros, 32, {active});
          operation.predicate = emit(code, Opcode::Eq, 1, {lane, first});
        }
      }
      code.push_back(std::move(instruction));
    }
    program.blocks[id].instructions = std::move(code);
  }
}

} // namespace smem::lower
