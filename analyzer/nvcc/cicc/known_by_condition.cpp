#include "nvcc/cicc/known_by_condition.h"

#include <map>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/DomConditionCache.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

class Conditions {
public:
  Conditions(llvm::Function &kernel, const llvm::DominatorTree &tree) : layout_(kernel.getDataLayout()), tree_(tree) {
    for (llvm::BasicBlock &block : kernel)
      if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()); branch && branch->isConditional())
        conditions_.registerBranch(branch);
  }

  /// Is something that `access` computes its address from a constant there, by the conditions on the way alone?
  bool fix_a_part(const SourceAccess &access) const {
    llvm::SmallPtrSet<const llvm::Value *, 16> seen;
    std::vector<const llvm::Value *> open{access.pointer};
    while (!open.empty()) {
      const auto *part = llvm::dyn_cast<llvm::Instruction>(open.back());
      open.pop_back();
      if (!part || llvm::isa<llvm::PHINode>(part) || !seen.insert(part).second)
        continue;
      if (part->getType()->isIntegerTy() && is_fixed(*part, *access.instruction))
        return true;
      if (!part->mayReadOrWriteMemory())
        open.insert(open.end(), part->op_begin(), part->op_end());
    }
    return false;
  }

private:
  bool is_fixed(const llvm::Instruction &part, const llvm::Instruction &at) const {
    llvm::SimplifyQuery query(layout_, &tree_, /*AC=*/nullptr, &at);
    query.DC = &conditions_;
    return llvm::computeKnownBits(&part, /*Depth=*/0, query).isConstant();
  }

  const llvm::DataLayout &layout_;
  const llvm::DominatorTree &tree_;
  mutable llvm::DomConditionCache conditions_;
};

} // namespace

void note_known_by_condition(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             std::span<const SourceAccess> accesses) {
  const Conditions conditions(kernel, tree);
  std::map<const llvm::Value *, unsigned> of_array;
  for (const SourceAccess &access : accesses)
    ++of_array[llvm::getUnderlyingObject(access.pointer)];
  for (const SourceAccess &access : accesses) {
    const bool alone = of_array[llvm::getUnderlyingObject(access.pointer)] == 1;
    if (alone || !conditions.fix_a_part(access))
      continue;
    raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access.location);
    if (access.location.kind ==
        AccessLocation::Kind::Load) // of a constant address, which may be loaded before the branch
      raise_uncertainty(Uncertainty::IfConversion, kernel, access.location);
  }
}

} // namespace smem
