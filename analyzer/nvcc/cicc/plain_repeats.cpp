#include "nvcc/cicc/plain_repeats.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace smem {
namespace {

constexpr unsigned kDeepestAlike = 8;          ///< operations of an address that are compared
constexpr std::size_t kMostValuesOfBlock = 64; ///< loads of a block, the last ones

/// Is it the same operation of the same values, however often they are computed? Not through memory, and not through phis, which are of their blocks.
bool are_computed_alike(const llvm::Value &one, const llvm::Value &other, unsigned depth = 0) {
  if (&one == &other)
    return true;
  const auto *first = llvm::dyn_cast<llvm::Instruction>(&one), *second = llvm::dyn_cast<llvm::Instruction>(&other);
  if (!first || !second || depth == kDeepestAlike || !first->isSameOperationAs(second) ||
      first->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode, llvm::CallBase>(first))
    return false;
  return llvm::all_of(llvm::zip(first->operands(), second->operands()), [&](const auto &operands) {
    return are_computed_alike(*std::get<0>(operands), *std::get<1>(operands), depth + 1);
  });
}

} // namespace

llvm::SmallPtrSet<const llvm::Instruction *, 8> plain_repeats(const llvm::Function &function) {
  llvm::SmallPtrSet<const llvm::Instruction *, 8> repeats;
  for (const llvm::BasicBlock &block : function) {
    llvm::SmallVector<const llvm::LoadInst *> loaded; // since something was written
    for (const llvm::Instruction &instruction : block) {
      if (instruction.mayWriteToMemory())
        loaded.clear();
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isSimple())
        continue;
      if (llvm::any_of(llvm::ArrayRef(loaded).take_back(kMostValuesOfBlock), [&](const llvm::LoadInst *before) {
            return before->getType() == load->getType() &&
                   are_computed_alike(*before->getPointerOperand(), *load->getPointerOperand());
          }))
        repeats.insert(load);
      else
        loaded.push_back(load);
    }
  }
  return repeats;
}

} // namespace smem
