#include "nvcc/cicc/known_by_condition.h"

#include <map>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/bits_by_conditions.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

/// Looks for something that an access computes its address from and that is a constant where the access is.
class FixedParts {
public:
  FixedParts(const SourceAccess &access, const BitsByConditions &conditions)
      : access_(access), conditions_(conditions) {}

  bool any() { return is_made_of_one(*access_.pointer); }

private:
  bool is_made_of_one(const llvm::Value &value) {
    const auto *part = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!part || llvm::isa<llvm::PHINode>(part) || !seen_.insert(part).second)
      return false;
    if (part->getType()->isIntegerTy() && conditions_.at(*part, *access_.instruction).isConstant())
      return !stays_before(*part);
    if (part->mayReadOrWriteMemory())
      return false;
    path_.push_back(part);
    const bool found =
        llvm::any_of(part->operands(), [&](const llvm::Use &operand) { return is_made_of_one(*operand); });
    path_.pop_back();
    return found;
  }

  /// Is what is computed from `part` used where that may be anything, too? Then it is computed there, once.
  bool stays_before(const llvm::Instruction &part) const {
    return llvm::any_of(path_, [&](const llvm::Instruction *computed) {
      return llvm::any_of(computed->users(), [&](const llvm::User *user) {
        const auto *elsewhere = llvm::dyn_cast<llvm::Instruction>(user);
        return elsewhere && !llvm::isa<llvm::PHINode>(elsewhere) && !conditions_.at(part, *elsewhere).isConstant();
      });
    });
  }

  const SourceAccess &access_;
  const BitsByConditions &conditions_;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen_;
  std::vector<const llvm::Instruction *> path_; ///< from the address to what is looked at
};

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
    if (alone || !access.shared || !FixedParts(access, conditions).any())
      continue;
    raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access.location);
    if (access.location.kind ==
        AccessLocation::Kind::Load) // of a constant address, which may be loaded before the branch
      raise_uncertainty(Uncertainty::IfConversion, kernel, access.location);
  }
}

} // namespace smem
