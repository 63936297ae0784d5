#include "program/order.h"

#include <cstdint>
#include <map>
#include <set>

namespace smem::lower {
namespace {

constexpr int kMbarrierOperands = 4; ///< that an Opaque in its place has not

void forget_phase(Instruction &instruction) {
  instruction.opcode = Opcode::Opaque;
  instruction.index = MbarrierCall::unpack(instruction.immediate).reason;
  instruction.immediate = 0;
  instruction.operands.erase(instruction.operands.begin(), instruction.operands.begin() + kMbarrierOperands);
}

} // namespace

bool orders(Opcode opcode) {
  return opcode == Opcode::WarpBarrier || opcode == Opcode::BarrierArrive || opcode == Opcode::Fence ||
         opcode == Opcode::CopyCommit || opcode == Opcode::CopyWait || opcode == Opcode::WarpMembers ||
         opcode == Opcode::BulkCommit || opcode == Opcode::BulkWait || opcode == Opcode::Mbarrier ||
         opcode == Opcode::BulkCopy;
}

void drop_order(Program &program) {
  std::map<RegisterId, std::int64_t> constants;
  for (const BasicBlock &block : program.blocks)
    for (const Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Constant)
        constants.emplace(instruction.result, instruction.immediate);
  for (BasicBlock &block : program.blocks) {
    for (Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Mbarrier)
        forget_phase(instruction);
    std::set<std::int64_t> named; // the same lanes come to all of a block
    std::erase_if(block.instructions, [&](const Instruction &instruction) {
      if (instruction.opcode == Opcode::WarpMembers)
        if (const auto known = constants.find(instruction.operands[0]); known != constants.end())
          return !named.insert(known->second).second;
      return instruction.opcode != Opcode::WarpBarrier && orders(instruction.opcode);
    });
    for (Instruction &instruction : block.instructions)
      if (instruction.opcode == Opcode::Barrier) {
        instruction.operands.clear();
        instruction.immediate = 0;
      }
  }
}

} // namespace smem::lower
