#include "nvcc/cicc/memory_intrinsics.h"

#include <algorithm>
#include <bit>
#include <vector>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include "nvcc/cicc/byte_copies.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

std::uint64_t piece_size(std::uint64_t offset, std::uint64_t remaining, llvm::Align alignment,
                         const CompilerRules &rules) {
  const std::uint64_t aligned = llvm::commonAlignment(alignment, offset).value();
  return std::min({aligned, std::bit_floor(remaining), std::uint64_t{rules.copy_piece_size.value}});
}

bool is_of_local(const llvm::MemIntrinsic &call) {
  const auto local = [](const llvm::Value *pointer) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0));
  };
  const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call);
  return local(call.getRawDest()) || (transfer && local(transfer->getRawSource()));
}

/// ptxas merges words only: pieces that are narrower stay as they are. Those of locals dissolve into registers instead.
bool stays_apart(std::uint64_t bytes, const llvm::MemIntrinsic &call) {
  return bytes < kWordBytes && !is_of_local(call);
}

llvm::Value *offset_by(llvm::IRBuilder<> &builder, llvm::Value *pointer, std::uint64_t offset) {
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset) : pointer;
}

void copy_pieces(llvm::MemTransferInst &copy, std::uint64_t size, const CompilerRules &rules) {
  llvm::IRBuilder<> builder(&copy);
  const llvm::Align source_alignment = copy.getSourceAlign().valueOrOne(),
                    dest_alignment = copy.getDestAlign().valueOrOne();
  const llvm::Align alignment = std::min(source_alignment, dest_alignment);
  if (alignment == 1 && size != 1 && !is_of_local(copy))
    note_byte_copy(copy, size, rules);
  std::vector<std::pair<std::uint64_t, llvm::Value *>> pieces;
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t bytes = piece_size(offset, size - offset, alignment, rules);
    llvm::Type *type = builder.getIntNTy(static_cast<unsigned>(bytes * 8));
    pieces.emplace_back(offset, builder.CreateAlignedLoad(type, offset_by(builder, copy.getRawSource(), offset),
                                                          llvm::commonAlignment(source_alignment, offset),
                                                          copy.isVolatile() || stays_apart(bytes, copy)));
    offset += bytes;
  }
  for (const auto &[offset, value] : pieces)
    builder.CreateAlignedStore(value, offset_by(builder, copy.getRawDest(), offset),
                               llvm::commonAlignment(dest_alignment, offset),
                               copy.isVolatile() || stays_apart(value->getType()->getIntegerBitWidth() / 8, copy));
}

void set_pieces(llvm::MemSetInst &set, std::uint64_t size, const CompilerRules &rules) {
  llvm::IRBuilder<> builder(&set);
  const llvm::Align alignment = set.getDestAlign().valueOrOne();
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t bytes = piece_size(offset, size - offset, alignment, rules);
    llvm::Type *type = builder.getIntNTy(static_cast<unsigned>(bytes * 8));
    llvm::Value *value = builder.CreateZExt(set.getValue(), type);
    for (unsigned shift = 8; shift < bytes * 8; shift *= 2)
      value = builder.CreateOr(value, builder.CreateShl(value, shift));
    builder.CreateAlignedStore(value, offset_by(builder, set.getRawDest(), offset),
                               llvm::commonAlignment(alignment, offset), set.isVolatile() || stays_apart(bytes, set));
    offset += bytes;
  }
}

/// A copy of 64 bits that LLVM has made a number of, of memory that is aligned to words: code generation copies it by the word.
bool copy_words(llvm::LoadInst &load) {
  auto *store = load.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(load.user_back()) : nullptr;
  if (!store || store->getValueOperand() != &load || !load.getType()->isIntegerTy(64) || !load.isSimple() ||
      !store->isSimple() || load.getAlign() != kWordBytes || store->getAlign() != kWordBytes)
    return false;
  llvm::IRBuilder<> at_load(&load), at_store(store);
  for (std::uint64_t offset = 0; offset < 8; offset += kWordBytes) {
    llvm::LoadInst *word = at_load.CreateAlignedLoad(
        at_load.getInt32Ty(), offset_by(at_load, load.getPointerOperand(), offset), llvm::Align(kWordBytes));
    word->copyMetadata(load);
    at_store.CreateAlignedStore(word, offset_by(at_store, store->getPointerOperand(), offset), llvm::Align(kWordBytes))
        ->copyMetadata(*store);
  }
  store->eraseFromParent();
  load.eraseFromParent();
  return true;
}

} // namespace

bool expand_memory_intrinsics(llvm::Function &kernel, Copies which, const CompilerRules &rules) {
  bool changed = false;
  std::vector<llvm::LoadInst *> loads;
  std::vector<llvm::MemIntrinsic *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && which == Copies::All)
      loads.push_back(load);
    else if (auto *call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      const auto *length = llvm::dyn_cast<llvm::ConstantInt>(call->getLength());
      const bool early = is_of_local(*call) || !length || length->getZExtValue() > rules.straight_copy_size;
      if (early || which == Copies::All)
        calls.push_back(call);
    }
  for (llvm::LoadInst *load : loads)
    changed |= copy_words(*load);
  if (calls.empty())
    return changed;
  const llvm::TargetTransformInfo costs(kernel.getDataLayout());
  for (llvm::MemIntrinsic *call : calls) {
    const auto *length = llvm::dyn_cast<llvm::ConstantInt>(call->getLength());
    const bool straight = length && length->getZExtValue() <= rules.straight_copy_size;
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(call); copy && straight) {
      copy_pieces(*copy, length->getZExtValue(), rules);
    } else if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(call)) {
      if (straight)
        set_pieces(*set, length->getZExtValue(), rules);
      else
        llvm::expandMemSetAsLoop(set);
    } else if (auto *memcpy = llvm::dyn_cast<llvm::MemCpyInst>(call)) {
      llvm::expandMemCpyAsLoop(memcpy, costs);
    } else if (auto *move = llvm::dyn_cast<llvm::MemMoveInst>(call)) {
      if (!llvm::expandMemMoveAsLoop(move, costs))
        continue;
    } else {
      continue;
    }
    call->eraseFromParent();
  }
  return true;
}

} // namespace smem::lower
