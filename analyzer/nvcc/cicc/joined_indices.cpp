#include "nvcc/cicc/joined_indices.h"

#include <map>
#include <utility>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/access_record.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

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

bool has_joined_index(const SourceAccess *access) {
  const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(access->pointer);
  return address && llvm::any_of(address->indices(), [](const llvm::Use &index) { return joins_equals(index); });
}

} // namespace

void note_joined_indices(llvm::Function &kernel, std::span<const SourceAccess> accesses) {
  using Place = std::pair<const llvm::BasicBlock *, const llvm::Value *>;
  std::map<Place, std::vector<const SourceAccess *>> of_array;
  for (const SourceAccess &access : accesses)
    if (access.shared)
      of_array[{access.instruction->getParent(), llvm::getUnderlyingObject(access.pointer)}].push_back(&access);
  for (const auto &[place, all] : of_array)
    if (all.size() > 1 && llvm::any_of(all, has_joined_index))
      for (const SourceAccess *access : all)
        raise_uncertainty(Uncertainty::AdjacentAccess, kernel, access->location);
}

} // namespace smem
