#include "race/address_origin.h"

#include <set>

namespace smem::race {
namespace {

/// What an address may be made from. A number is made from nothing.
struct Origins {
  std::set<DimensionId> objects;
  bool elsewhere = false; ///< shared or local memory
  bool open = false;      ///< a pointer that comes out of memory, or some such

  bool pointer() const { return open || elsewhere || !objects.empty(); }
  void add(const Origins &other) {
    objects.insert(other.objects.begin(), other.objects.end());
    elsewhere |= other.elsewhere;
    open |= other.open;
  }
};

class Tracer {
public:
  explicit Tracer(Machine &machine) : machine_(machine), definition_(machine.program.register_count) {
    for (const BasicBlock &block : machine.program.blocks) {
      for (const Phi &phi : block.phis)
        definition_[phi.result].phi = &phi;
      for (const Instruction &instruction : block.instructions)
        if (instruction.result != kNone)
          definition_[instruction.result].instruction = &instruction;
    }
  }

  void forget() { seen_.clear(); }

  Origins of(RegisterId reg) {
    if (reg == kNone || !seen_.insert(reg).second)
      return {};
    const Definition &definition = definition_[reg];
    Origins all;
    if (definition.phi) {
      for (const Phi::Incoming &incoming : definition.phi->incoming)
        all.add(of(incoming.value));
      return all;
    }
    if (!definition.instruction) { // what was loaded: an index, or a pointer
      all.open = machine_.program.register_width[reg] == 64;
      return all;
    }
    const Instruction &instruction = *definition.instruction;
    switch (instruction.opcode) {
    case Opcode::Argument: {
      const auto symbol = machine_.argument_symbols.find({instruction.index, instruction.immediate});
      if (symbol != machine_.argument_symbols.end() &&
          machine_.symbols[symbol->second].window == Symbol::Window::Global)
        all.objects.insert(symbol->second);
      return all;
    }
    case Opcode::GlobalAddress: all.objects.insert(machine_.global_symbol(instruction.index)); return all;
    case Opcode::SharedAddress:
    case Opcode::LocalAddress: all.elsewhere = true; return all;
    case Opcode::Select:
      all.add(of(instruction.operands[1]));
      all.add(of(instruction.operands[2]));
      return all;
    case Opcode::Agree:
      for (const RegisterId operand : instruction.operands)
        all.add(of(operand));
      return all;
    case Opcode::SharedToGeneric:
    case Opcode::GenericToShared: return of(instruction.operands[0]);
    case Opcode::Add: { // a pointer and a number, in either order
      const Origins left = of(instruction.operands[0]), right = of(instruction.operands[1]);
      const bool base_left = !left.objects.empty() || left.elsewhere,
                 base_right = !right.objects.empty() || right.elsewhere;
      if (base_left != base_right)
        return base_left ? left : right;
      all.add(left);
      all.add(right);
      all.open |= base_left;
      return all;
    }
    case Opcode::Sub: return of(instruction.operands[0]);
    case Opcode::And: return of(instruction.operands[0]);
    case Opcode::Opaque:
    case Opcode::Shuffle: all.open = machine_.program.register_width[reg] == 64; return all;
    default: return all;
    }
  }

private:
  struct Definition {
    const Phi *phi = nullptr;
    const Instruction *instruction = nullptr;
  };
  Machine &machine_;
  std::vector<Definition> definition_;
  std::set<RegisterId> seen_; ///< what a loop comes back to adds nothing
};

} // namespace

AddressOrigin origin_of(Machine &machine, RegisterId address) { return origins_of(machine, {&address, 1}).front(); }

std::vector<AddressOrigin> origins_of(Machine &machine, std::span<const RegisterId> addresses) {
  Tracer tracer(machine);
  std::vector<AddressOrigin> all;
  for (const RegisterId address : addresses) {
    tracer.forget();
    const Origins origins = tracer.of(address);
    AddressOrigin &origin = all.emplace_back();
    origin.elsewhere = origins.elsewhere && !origins.open && origins.objects.empty();
    if (origins.objects.size() == 1 && !origins.open && !origins.elsewhere)
      origin.object = *origins.objects.begin();
  }
  return all;
}

} // namespace smem::race
