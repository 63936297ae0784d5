#include "nvcc/cicc/byte_copies.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"

namespace smem {
namespace {

bool is_aligned(const llvm::Value *pointer) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer, 0));
  return variable && variable->getAlign().valueOrOne() > 1;
}

/// A load or store of more than a byte that may be anywhere.
bool is_unaligned(const llvm::Value &value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&value);
  return (load && load->getAlign() == 1 && load->getType()->getScalarSizeInBits() > 8) ||
         (store && store->getAlign() == 1 && store->getValueOperand()->getType()->getScalarSizeInBits() > 8);
}

} // namespace

void note_copy(llvm::MemTransferInst &copy) {
  if (!copy.getDebugLoc())
    return;
  for (const AccessLocation::Kind kind : {AccessLocation::Kind::Load, AccessLocation::Kind::Store})
    raise_uncertainty(Uncertainty::StructureCopy, *copy.getFunction(), {kind, copy.getDebugLoc().get()});
}

void note_byte_copy(llvm::MemTransferInst &copy, std::uint64_t size, const CompilerRules &rules) {
  if (size > rules.straight_byte_copy_size || is_aligned(copy.getRawSource()) || is_aligned(copy.getRawDest()))
    note_copy(copy);
}

void note_unaligned_copies(llvm::Function &kernel, std::span<const SourceAccess> accesses) {
  for (const SourceAccess &access : accesses) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
    if (is_unaligned(*access.instruction) || (store && is_unaligned(*store->getValueOperand())) ||
        llvm::any_of(access.instruction->users(), [&](const llvm::User *user) { return is_unaligned(*user); }))
      raise_uncertainty(Uncertainty::StructureCopy, kernel, access.location);
  }
}

} // namespace smem
