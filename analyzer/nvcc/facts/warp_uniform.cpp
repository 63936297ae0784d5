#include "nvcc/facts/warp_uniform.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/machine.h"
#include "nvcc/facts/special_registers.h"

namespace smem {
namespace {

bool is_uniform_register(llvm::Intrinsic::ID id) {
  const std::optional<SpecialRegister> special = special_register_of(id);
  return special && ((*special >= SpecialRegister::BlockX && *special <= SpecialRegister::GridDimZ) ||
                     *special == SpecialRegister::WarpSize);
}

bool computes(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->getPointerAddressSpace() != kGeneric;
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call ? call->doesNotAccessMemory() && !call->isConvergent() && call->arg_size() > 0
              : !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::PHINode, llvm::CallBase>(instruction);
}

bool is_uniform(const llvm::Value &value, llvm::UniformityInfo &uniformity, unsigned depth) {
  if (uniformity.isUniform(&value))
    return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == 0)
    return false;
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
      call && is_uniform_register(call->getIntrinsicID()))
    return true;
  return computes(*instruction) && llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) {
           return llvm::isa<llvm::Constant, llvm::BasicBlock, llvm::Function>(operand) ||
                  is_uniform(*operand, uniformity, depth - 1);
         });
}

} // namespace

bool is_warp_uniform(const llvm::Value &value, llvm::UniformityInfo &uniformity) {
  return is_uniform(value, uniformity, 16);
}

bool diverges(const llvm::BasicBlock &block, llvm::UniformityInfo &uniformity) {
  if (!uniformity.hasDivergentTerminator(block))
    return false;
  const llvm::Instruction *terminator = block.getTerminator();
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(terminator))
    return !branch->isConditional() || !is_warp_uniform(*branch->getCondition(), uniformity);
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(terminator))
    return !is_warp_uniform(*choice->getCondition(), uniformity);
  return true;
}

} // namespace smem
