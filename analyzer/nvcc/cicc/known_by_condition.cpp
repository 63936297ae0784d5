#include "nvcc/cicc/known_by_condition.h"

#include <map>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/bits_by_conditions.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Is the address used before the access where `part` of it may be anything? Then it is computed there, once.
bool is_computed_before(const SourceAccess &access, const llvm::Instruction &part, const BitsByConditions &conditions,
                        const llvm::DominatorTree &tree) {
  return llvm::any_of(access.pointer->users(), [&](const llvm::User *user) {
    const auto *before = llvm::dyn_cast<llvm::Instruction>(user);
    return before && before->getFunction() == part.getFunction() && tree.dominates(before, access.instruction) &&
           !conditions.at(part, *before).isConstant();
  });
}

/// Is something that `access` computes its address from there a constant there?
bool has_fixed_part(const SourceAccess &access, const BitsByConditions &conditions, const llvm::DominatorTree &tree) {
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  std::vector<const llvm::Value *> open{access.pointer};
  while (!open.empty()) {
    const auto *part = llvm::dyn_cast<llvm::Instruction>(open.back());
    open.pop_back();
    if (!part || llvm::isa<llvm::PHINode>(part) || !seen.insert(part).second)
      continue;
    if (part->getType()->isIntegerTy() && conditions.at(*part, *access.instruction).isConstant()) {
      if (!is_computed_before(access, *part, conditions, tree))
        return true;
    } else if (!part->mayReadOrWriteMemory()) {
      open.insert(open.end(), part->op_begin(), part->op_end());
    }
  }
  return false;
}

} // namespace

void note_known_by_condition(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             std::span<const SourceAccess> accesses) {
  const BitsByConditions conditions(kernel, tree);
  std::map<const llvm::Value *, unsigned> of_array;
  for (const SourceAccess &access : accesses)
    ++of_array[llvm::getUnderlyingObject(access.pointer)];
  for (const SourceAccess &access : accesses) {
    const bool alone = of_array[llvm::getUnderlyingObject(access.pointer)] == 1;
    // In global memory nothing is more aligned for it.
    if (alone || !access.shared || !has_fixed_part(access, conditions, tree))
      continue;
    raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access.location);
    if (access.location.kind ==
        AccessLocation::Kind::Load) // of a constant address, which may be loaded before the branch
      raise_uncertainty(Uncertainty::IfConversion, kernel, access.location);
  }
}

} // namespace smem
