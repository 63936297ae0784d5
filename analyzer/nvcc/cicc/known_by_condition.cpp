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

/// Does a phi join what several paths compute alike (`or i, 1` and `zext` on both sides of a branch)?
bool joins_equals(const llvm::Value *index) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(index);
  const auto *first = phi ? llvm::dyn_cast<llvm::Instruction>(phi->getIncomingValue(0)) : nullptr;
  return first && (first->isCast() || first->isBinaryOp()) && phi->getNumIncomingValues() > 1 &&
         llvm::all_of(phi->incoming_values(), [&](const llvm::Value *each) {
           const auto *other = llvm::dyn_cast<llvm::Instruction>(each);
           return other && other->getOpcode() == first->getOpcode();
         });
}

} // namespace

void note_joined_indices(llvm::Function &kernel, std::span<const SourceAccess> accesses) {
  using Place = std::pair<const llvm::BasicBlock *, const llvm::Value *>;
  std::map<Place, std::vector<const SourceAccess *>> of_array;
  for (const SourceAccess &access : accesses)
    if (access.shared) // in global memory no more is known of alignment than what the type says
      of_array[{access.instruction->getParent(), llvm::getUnderlyingObject(access.pointer)}].push_back(&access);
  for (const auto &[place, all] : of_array) {
    const bool joined = llvm::any_of(all, [](const SourceAccess *access) {
      const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(access->pointer);
      return address && llvm::any_of(address->indices(), [](const llvm::Use &index) { return joins_equals(index); });
    });
    for (const SourceAccess *access : joined &&all.size() > 1 ? all : std::vector<const SourceAccess *>())
      raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access->location);
  }
}

void note_known_by_condition(llvm::Function &kernel, const llvm::DominatorTree &tree,
                             std::span<const SourceAccess> accesses) {
  const Conditions conditions(kernel, tree);
  std::map<const llvm::Value *, unsigned> of_array;
  for (const SourceAccess &access : accesses)
    ++of_array[llvm::getUnderlyingObject(access.pointer)];
  for (const SourceAccess &access : accesses) {
    const bool alone = of_array[llvm::getUnderlyingObject(access.pointer)] == 1;
    if (alone || !access.shared ||
        !conditions.fix_a_part(access)) // neighbours in global memory are no more aligned for it
      continue;
    raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access.location);
    if (access.location.kind ==
        AccessLocation::Kind::Load) // of a constant address, which may be loaded before the branch
      raise_uncertainty(Uncertainty::IfConversion, kernel, access.location);
  }
}

} // namespace smem
