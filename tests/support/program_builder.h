// Programs written by hand, for tests of the simulator.
#pragma once

#include <functional>
#include <utility>

#include "smem/program.h"

namespace smem::test {

class ProgramBuilder {
public:
  ProgramBuilder() {
    program.kernel = program.mangled = "test";
    program.blocks.emplace_back();
  }

  Program program;

  RegisterId constant(std::int64_t value, unsigned width = 32) { return emit(Opcode::Constant, width, {}, value); }
  RegisterId special(SpecialRegister which) { return emit(Opcode::Special, 32, {}, static_cast<std::int64_t>(which)); }
  RegisterId argument(unsigned index, unsigned width = 32) {
    const RegisterId r = emit(Opcode::Argument, width, {}, 0);
    block().instructions.back().index = index;
    return r;
  }
  RegisterId binary(Opcode opcode, RegisterId a, RegisterId b) {
    return emit(opcode, program.register_width[a], {a, b});
  }
  RegisterId compare(Opcode opcode, RegisterId a, RegisterId b) { return emit(opcode, 1, {a, b}); }
  RegisterId select(RegisterId c, RegisterId a, RegisterId b) {
    return emit(Opcode::Select, program.register_width[a], {c, a, b});
  }
  RegisterId resize(Opcode opcode, RegisterId a, unsigned width) { return emit(opcode, width, {a}); }
  RegisterId scaled(RegisterId index, std::int64_t factor) {
    return binary(Opcode::Mul, index, constant(factor, program.register_width[index]));
  }
  RegisterId shared_address(unsigned array) {
    const RegisterId r = emit(Opcode::SharedAddress, 64, {});
    block().instructions.back().index = array;
    return r;
  }
  unsigned shared_array(std::uint64_t size, std::uint64_t alignment = 16) {
    program.shared_arrays.push_back(
        {"array" + std::to_string(program.shared_arrays.size()), size, alignment, false, {}, {}});
    return static_cast<unsigned>(program.shared_arrays.size()) - 1;
  }
  RegisterId emit(Opcode opcode, unsigned width, std::vector<RegisterId> operands, std::int64_t immediate = 0) {
    Instruction i;
    i.opcode = opcode;
    i.width = static_cast<std::uint8_t>(width);
    i.operands = std::move(operands);
    i.immediate = immediate;
    i.result = fresh(width);
    block().instructions.push_back(std::move(i));
    return block().instructions.back().result;
  }

  /// A memory instruction with a site of its own; the result registers of `parts` must come from fresh().
  SiteId access(AddressSpace space, Operation operation, unsigned width, RegisterId address,
                std::vector<ValuePart> parts = {}) {
    Site site;
    site.location = {"test.cu", static_cast<unsigned>(program.sites.size()) + 1, 1};
    site.access.space = space == AddressSpace::Global ? Space::Global : Space::Shared;
    site.access.operation = operation;
    site.access.width_bits = static_cast<std::uint16_t>(width);
    MemoryOperation memory;
    memory.site = static_cast<SiteId>(program.sites.size());
    memory.space = space;
    memory.access = site.access;
    memory.address = address;
    memory.parts = std::move(parts);
    program.sites.push_back(site);
    program.memory_operations.push_back(memory);
    Instruction i;
    i.opcode = Opcode::Memory;
    i.index = static_cast<std::uint32_t>(program.memory_operations.size()) - 1;
    block().instructions.push_back(i);
    return memory.site;
  }
  /// Per-thread memory, addressed by its own window.
  unsigned local_object(std::uint64_t size) {
    program.local_objects.push_back({size, 8});
    return static_cast<unsigned>(program.local_objects.size()) - 1;
  }
  RegisterId local_address(unsigned object) {
    const RegisterId r = emit(Opcode::LocalAddress, 64, {});
    block().instructions.back().index = object;
    return r;
  }
  /// A 32-bit access whose value matters; loads return the register. `site`: counted.
  RegisterId value_access(AddressSpace space, Operation operation, RegisterId address, RegisterId stored = kNone,
                          bool site = true) {
    ValuePart part;
    part.reg = operation == Operation::Store ? stored : fresh(32);
    access(space, operation, 32, address, {part});
    if (!site) {
      program.sites.pop_back();
      program.memory_operations.back().site = kNone;
    }
    return part.reg;
  }
  void barrier() {
    Instruction i;
    i.opcode = Opcode::Barrier;
    block().instructions.push_back(i);
  }

  RegisterId fresh(unsigned width) {
    program.register_width.push_back(static_cast<std::uint8_t>(width));
    return program.register_count++;
  }

  /// A value carried from one iteration to the next besides the counter.
  struct Carried {
    RegisterId start;
    std::function<RegisterId(RegisterId)> next;
  };

  /// for (i = from; i < end; i += step) body(i, carried)
  void loop(RegisterId from, RegisterId step, RegisterId end, const std::function<void(RegisterId, RegisterId)> &body,
            const Carried *carried = nullptr) {
    const BlockId before = current;
    const BlockId head = new_block(), inside = new_block();
    jump(head);
    current = head;
    Phi phi;
    phi.result = fresh(32);
    const RegisterId i = phi.result;
    phi.incoming.push_back({before, from});
    Phi extra;
    if (carried) {
      extra.result = fresh(32);
      extra.incoming.push_back({before, carried->start});
    }
    const RegisterId goes_on = compare(Opcode::SLt, i, end);
    Terminator &exit = block().terminator;
    exit.kind = TerminatorKind::Branch;
    exit.condition = goes_on;
    current = inside;
    body(i, extra.result);
    if (carried) {
      const RegisterId changed = carried->next(extra.result);
      extra.incoming.push_back({current, changed});
    }
    const RegisterId next = binary(Opcode::Add, i, step);
    phi.incoming.push_back({current, next});
    jump(head);
    const BlockId after = new_block();
    program.blocks[head].phis.push_back(phi);
    if (carried)
      program.blocks[head].phis.push_back(extra);
    program.blocks[head].terminator.targets = {inside, after};
    current = after;
  }
  void branch(RegisterId condition, const std::function<void()> &yes, const std::function<void()> &no = {}) {
    const BlockId before = current, t = new_block();
    current = t;
    yes();
    const BlockId t_end = current;
    BlockId f = kNone, f_end = kNone;
    if (no) {
      f = new_block();
      current = f;
      no();
      f_end = current;
    }
    const BlockId join = new_block();
    program.blocks[before].terminator = {TerminatorKind::Branch, condition, {t, no ? f : join}, {}, {}};
    program.blocks[t_end].terminator = {TerminatorKind::Jump, kNone, {join}, {}, {}};
    if (no)
      program.blocks[f_end].terminator = {TerminatorKind::Jump, kNone, {join}, {}, {}};
    current = join;
  }
  BlockId new_block() {
    program.blocks.emplace_back();
    return static_cast<BlockId>(program.blocks.size()) - 1;
  }
  BasicBlock &block() { return program.blocks[current]; }
  void jump(BlockId to) { block().terminator = {TerminatorKind::Jump, kNone, {to}, {}, {}}; }
  BlockId current = 0;
};

} // namespace smem::test
