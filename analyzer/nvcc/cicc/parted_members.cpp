#include "nvcc/cicc/parted_members.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/facts/machine.h"

namespace smem {
namespace {

bool is_unaliased(const llvm::Value *pointer) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(pointer));
  return argument && argument->hasNoAliasAttr();
}

} // namespace

bool are_parted(llvm::ArrayRef<const SourceAccess *> members) {
  if (members.size() < 2 || is_unaliased(members.front()->pointer))
    return false;
  const bool loads = members.front()->location.kind == AccessLocation::Kind::Load;
  const auto is_member = [&](const llvm::Instruction &instruction) {
    return llvm::any_of(members, [&](const SourceAccess *member) { return member->instruction == &instruction; });
  };
  return std::any_of(members.front()->instruction->getIterator(), members.back()->instruction->getIterator(),
                     [&](const llvm::Instruction &between) {
                       const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&between);
                       return pointer && (!loads || llvm::isa<llvm::StoreInst>(between)) && !is_member(between) &&
                              pointer->getType()->getPointerAddressSpace() != kShared && !is_unaliased(pointer);
                     });
}

} // namespace smem
