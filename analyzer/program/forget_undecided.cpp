#include "program/forget_undecided.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace smem::lower {
namespace {

/// Floating-point operations with an operand that is not known have no result that is; those of these two lists.
bool makes_number(Opcode opcode) {
  return (opcode >= Opcode::FAdd && opcode <= Opcode::FRound) || opcode == Opcode::SToF || opcode == Opcode::UToF ||
         opcode == Opcode::FResize || opcode == Opcode::Agree;
}
bool leaves_numbers(Opcode opcode) {
  return (opcode >= Opcode::FEq && opcode <= Opcode::FLe) || opcode == Opcode::FToS || opcode == Opcode::FToU;
}

/// Keeps apart what differs, with another operand that is a constant or the same throughout.
bool keeps_apart(Opcode opcode) {
  return opcode == Opcode::Add || opcode == Opcode::Sub || opcode == Opcode::SignExtend || opcode == Opcode::ZeroExtend;
}
/// The same if the other operand is no zero, nor is the result cut off.
bool scales(Opcode opcode) { return opcode == Opcode::Mul || opcode == Opcode::Shl; }

class Undecided {
public:
  explicit Undecided(Program &program)
      : program_(program), unknown_(program.register_count), leaf_(program.register_count),
        pointed_(program.register_count), table_(program.register_count) {}

  void run() {
    // Definitions come before uses but in loops.
    for (bool changed = true; changed;) {
      changed = false;
      for (const BasicBlock &block : program_.blocks)
        changed |= find_addresses(block);
    }
    find_unknown();
    for (BasicBlock &block : program_.blocks)
      rewrite(block);
  }

private:
  enum class Leaf : std::uint8_t { None, Number, Zero, Address };

  bool is_unknown(RegisterId id) const { return unknown_[id]; }

  static bool set(std::vector<bool> &set, RegisterId id) {
    if (id == kNone || set[id])
      return false;
    set[id] = true;
    return true;
  }

  /// What goes round in a loop is not known if it was not to begin with, and what each iteration makes of it is not either: that is assumed of all phis, until one has an incoming value that is known.
  void find_unknown() {
    constexpr int kMostRounds = 16;
    std::vector<bool> assumed(program_.register_count);
    for (const BasicBlock &block : program_.blocks)
      for (const Phi &phi : block.phis)
        assumed[phi.result] = true;
    for (int round = 0;; ++round) {
      unknown_ = assumed;
      for (bool changed = true; changed;) {
        changed = false;
        for (const BasicBlock &block : program_.blocks)
          for (const Instruction &instruction : block.instructions)
            changed |= look_at(instruction);
      }
      bool wrong = false;
      for (const BasicBlock &block : program_.blocks)
        for (const Phi &phi : block.phis)
          if (assumed[phi.result] && std::ranges::any_of(phi.incoming, [&](const Phi::Incoming &incoming) {
                return !is_unknown(incoming.value);
              })) {
            assumed[phi.result] = false;
            wrong = true;
          }
      if (!wrong)
        return;
      if (round == kMostRounds)
        assumed.assign(assumed.size(), false);
    }
  }

  bool find_addresses(const BasicBlock &block) {
    bool changed = false;
    const auto derive = [&](RegisterId from, RegisterId to) {
      changed |= table_[from] && set(table_, to);
      changed |= pointed_[from] && program_.register_width[to] == 64 && set(pointed_, to);
    };
    for (const Phi &phi : block.phis)
      for (const Phi::Incoming &incoming : phi.incoming)
        derive(incoming.value, phi.result);
    for (const Instruction &instruction : block.instructions) {
      if (instruction.opcode == Opcode::Argument)
        changed |= set(pointed_, instruction.result);
      if (instruction.opcode == Opcode::GlobalAddress)
        changed |= set(table_, instruction.result);
      if (instruction.result != kNone)
        for (const RegisterId operand : instruction.operands)
          derive(operand, instruction.result);
    }
    return changed;
  }

  bool look_at(const Instruction &instruction) {
    const auto &operands = instruction.operands;
    switch (instruction.opcode) {
    case Opcode::Opaque: return set(unknown_, instruction.result);
    case Opcode::Memory: return look_at(program_.memory_operations[instruction.index]);
    case Opcode::Argument: leaf_[instruction.result] = Leaf::Number; return false;
    case Opcode::LocalAddress:
    case Opcode::SharedAddress: leaf_[instruction.result] = Leaf::Address; return false;
    case Opcode::Constant:
      leaf_[instruction.result] = instruction.immediate == 0 ? Leaf::Zero : Leaf::Number;
      return false;
    default: break;
    }
    if (makes_number(instruction.opcode))
      return std::ranges::any_of(operands, [&](RegisterId id) { return is_unknown(id); }) &&
             set(unknown_, instruction.result);
    if (!keeps_apart(instruction.opcode) && !scales(instruction.opcode))
      return false;
    const auto other_is_leaf = [&](RegisterId id) {
      return leaf_[id] != Leaf::None && (leaf_[id] != Leaf::Zero || keeps_apart(instruction.opcode));
    };
    const auto counts = [&](std::size_t own, std::size_t other) {
      return is_unknown(operands[own]) && (operands.size() == 1 || other_is_leaf(operands[other]));
    };
    return (counts(0, 1) || (operands.size() == 2 && instruction.opcode != Opcode::Shl && counts(1, 0))) &&
           set(unknown_, instruction.result);
  }

  /// What lies where a kernel's argument leads to, and at an address that is not known.
  bool look_at(const MemoryOperation &operation) {
    if (operation.access.operation != Operation::Load)
      return false;
    const bool data =
        operation.space == AddressSpace::Global && pointed_[operation.address] && !table_[operation.address];
    if (!data && !is_unknown(operation.address))
      return false;
    bool changed = false;
    for (const ValuePart &part : operation.parts)
      changed |= set(unknown_, part.reg);
    return changed;
  }

  /// Without operands, so that no two executions have a number in common.
  void rewrite(BasicBlock &block) {
    for (Instruction &instruction : block.instructions)
      if (leaves_numbers(instruction.opcode) &&
          std::ranges::any_of(instruction.operands, [&](RegisterId id) { return is_unknown(id); })) {
        instruction.opcode = Opcode::Opaque;
        instruction.immediate = 0;
        instruction.index = reason();
        instruction.operands.clear();
      }
  }

  std::uint32_t reason() {
    if (reason_ == kNone) {
      reason_ = static_cast<std::uint32_t>(program_.reasons.size());
      program_.reasons.push_back("what comes of a number that is not known");
    }
    return reason_;
  }

  Program &program_;
  std::vector<bool> unknown_; ///< by register: no lane that gets there knows it
  std::vector<Leaf> leaf_;
  std::vector<bool> pointed_; ///< made of an argument of the kernel
  std::vector<bool> table_;   ///< made of the address of a variable, whose contents may be known
  std::uint32_t reason_ = kNone;
};

} // namespace

void forget_undecided(Program &program) { Undecided(program).run(); }

} // namespace smem::lower
