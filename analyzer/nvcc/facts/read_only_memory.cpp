#include "nvcc/facts/read_only_memory.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/facts/barrier_regions.h"
#include "nvcc/facts/machine.h"

namespace smem {
namespace {

bool is_restricted(const llvm::Value *object) {
  const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  return argument && argument->hasNoAliasAttr();
}

/// What an instruction that writes writes to; null if that is not known.
const llvm::Value *written_by(const llvm::Instruction &instruction) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto *update = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return update->getPointerOperand();
  const auto *copy = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction);
  return copy ? copy->getRawDest() : nullptr;
}

bool may_write_plain_memory(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!instruction.mayWriteToMemory() || llvm::isa<llvm::LoadInst>(instruction) || // which are volatile
      (intrinsic && intrinsic->isAssumeLikeIntrinsic()) || is_barrier(instruction))
    return false;
  const llvm::Value *pointer = written_by(instruction);
  if (!pointer)
    return true;
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  return llvm::any_of(objects, [](const llvm::Value *object) {
    return !is_of_thread(*object) && !is_restricted(object) && object->getType()->getPointerAddressSpace() != kShared;
  });
}

} // namespace

bool is_read_only_to_llvm(const SourceAccess &access) {
  return access.instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
         is_restricted(llvm::getUnderlyingObject(access.pointer));
}

ReadOnlyMemory::ReadOnlyMemory(const llvm::Function &kernel)
    : is_all_(llvm::none_of(llvm::instructions(kernel), may_write_plain_memory)) {}

bool ReadOnlyMemory::crosses_barriers(const SourceAccess &access) const {
  return is_read_only_to_llvm(access) ||
         (access.location.kind == AccessLocation::Kind::Load && !access.shared && !access.instruction->isVolatile() &&
          (is_all_ || record_of(*access.instruction).inline_ptx == AccessRecord::InlinePtx::ReadOnlyLoad));
}

} // namespace smem
