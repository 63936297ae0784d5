#include "register_places.h"

#include <algorithm>

namespace smem {
namespace {

/// Calls visit(register) for all that an instruction reads.
template <typename Visit> void for_each_read(const Program &program, const Instruction &instruction, Visit &&visit) {
  for (const RegisterId reg : instruction.operands)
    visit(reg);
  if (instruction.opcode != Opcode::Memory)
    return;
  const MemoryOperation &operation = program.memory_operations[instruction.index];
  for (const RegisterId reg :
       {operation.address, operation.source, operation.operand, operation.source_bytes, operation.predicate})
    if (reg != kNone)
      visit(reg);
  for (const RegisterId reg : operation.stored)
    visit(reg);
  for (const ValuePart &part : operation.parts)
    if (part.reg != kNone)
      visit(part.reg);
}

struct Life {
  BlockId block = kNone;
  std::size_t begin = 0, end = 0; ///< instructions: its own, and the last that reads it
  bool apart = false;             ///< needs a place of its own
};

std::vector<Life> lives_of(const Program &program, const ControlFlow &flow) {
  std::vector<Life> lives(program.register_count);
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const auto &instructions = program.blocks[b].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].opcode == Opcode::Memory || instructions[i].result == kNone)
        continue;
      Life &life = lives[instructions[i].result];
      life.apart = life.block != kNone; // by two instructions
      life.block = b;
      life.begin = life.end = i;
    }
  }
  const auto keep = [&](RegisterId reg) {
    if (reg != kNone)
      lives[reg].apart = true;
  };
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    const BasicBlock &block = program.blocks[b];
    for (const Phi &phi : block.phis) {
      keep(phi.result);
      for (const Phi::Incoming &in : phi.incoming)
        keep(in.value);
    }
    for (std::size_t i = 0; i < block.instructions.size(); ++i)
      for_each_read(program, block.instructions[i], [&](RegisterId reg) {
        Life &life = lives[reg];
        if (life.block != b || life.begin >= i)
          life.apart = true;
        else
          life.end = std::max(life.end, i);
      });
    keep(block.terminator.condition);
  }
  for (const Loop &loop : flow.loops)
    for (const auto *inductions : {&loop.inductions, &loop.steady})
      for (const Induction &induction : *inductions) {
        for (const RegisterId reg : induction.added)
          keep(reg);
        for (const RegisterId reg : induction.subtracted)
          keep(reg);
      }
  return lives;
}

} // namespace

RegisterPlaces place_registers(const Program &program, const ControlFlow &flow) {
  RegisterPlaces out;
  const std::vector<Life> lives = lives_of(program, flow);
  out.place.resize(lives.size());
  out.shared.resize(lives.size());
  for (RegisterId reg = 0; reg < lives.size(); ++reg) {
    out.shared[reg] = lives[reg].block != kNone && !lives[reg].apart;
    if (out.shared[reg])
      continue;
    out.place[reg] = static_cast<std::uint32_t>(out.width.size());
    out.width.push_back(static_cast<std::uint8_t>(program.register_width[reg]));
  }
  const auto first = static_cast<std::uint32_t>(out.width.size());
  std::uint32_t places = first;
  for (BlockId b = 0; b < program.blocks.size(); ++b) {
    std::vector<std::uint32_t> free;
    for (std::uint32_t place = places; place > first; --place)
      free.push_back(place - 1);
    std::vector<bool> released(lives.size() ? places - first : 0);
    const auto &instructions = program.blocks[b].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const RegisterId result = instructions[i].result;
      const bool placed = instructions[i].opcode != Opcode::Memory && result != kNone && out.shared[result];
      if (placed) {
        if (free.empty()) {
          free.push_back(places++);
          released.push_back(true);
        }
        out.place[result] = free.back();
        released[free.back() - first] = false;
        free.pop_back();
      }
      // The result has its place before those of the operands are free.
      const auto release = [&](RegisterId reg) {
        if (!out.shared[reg] || lives[reg].end != i || released[out.place[reg] - first])
          return;
        released[out.place[reg] - first] = true;
        free.push_back(out.place[reg]);
      };
      for_each_read(program, instructions[i], release);
      if (placed)
        release(result); // it is not read
    }
  }
  out.width.resize(places, 32);
  return out;
}

} // namespace smem
