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
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include "nvcc/cicc/byte_copies.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/facts/copied_type.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

std::uint64_t piece_size(std::uint64_t offset, std::uint64_t remaining, llvm::Align alignment, std::uint64_t widest) {
  const std::uint64_t aligned = llvm::commonAlignment(alignment, offset).value();
  return std::min({aligned, std::bit_floor(remaining), widest});
}

bool is_of_local(const llvm::MemIntrinsic &call) {
  const auto local = [](const llvm::Value *pointer) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0));
  };
  const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call);
  return local(call.getRawDest()) || (transfer && local(transfer->getRawSource()));
}

/// Between a thread's own memory and parameters.
bool is_uncounted(const llvm::MemTransferInst &copy) {
  return llvm::all_of(llvm::ArrayRef{copy.getRawDest(), copy.getRawSource()},
                      [](const llvm::Value *pointer) { return is_of_thread(*llvm::getUnderlyingObject(pointer, 0)); });
}

/// ptxas merges words only: pieces that are narrower stay as they are. Those of locals dissolve into registers instead.
bool stays_apart(std::uint64_t bytes, const llvm::MemIntrinsic &call) {
  return bytes < kWordBytes && !is_of_local(call);
}

llvm::Value *offset_by(llvm::IRBuilder<> &builder, llvm::Value *pointer, std::uint64_t offset) {
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset) : pointer;
}

llvm::Type *type_of_piece(llvm::LLVMContext &context, std::uint64_t bytes) {
  if (bytes == kWidestAccess)
    return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), kWidestAccess / kWordBytes);
  return llvm::Type::getIntNTy(context, static_cast<unsigned>(bytes * 8));
}

/// The `size` bytes from `start` on, an offset that keeps the alignment of the copy: all loads, then all stores.
void copy_pieces(llvm::IRBuilder<> &builder, const llvm::MemTransferInst &copy, llvm::Value *start, std::uint64_t size,
                 std::uint64_t widest) {
  const auto at = [&](llvm::Value *pointer, std::uint64_t offset) {
    return offset_by(builder, start ? builder.CreateInBoundsGEP(builder.getInt8Ty(), pointer, start) : pointer, offset);
  };
  const llvm::Align source = copy.getSourceAlign().valueOrOne(), dest = copy.getDestAlign().valueOrOne();
  std::vector<llvm::LoadInst *> pieces;
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t bytes = piece_size(offset, size - offset, llvm::Align(alignment_of(copy)), widest);
    pieces.push_back(builder.CreateAlignedLoad(type_of_piece(builder.getContext(), bytes),
                                               at(copy.getRawSource(), offset), llvm::commonAlignment(source, offset),
                                               copy.isVolatile() || stays_apart(bytes, copy)));
    offsets.push_back(offset);
    offset += bytes;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i)
    builder.CreateAlignedStore(pieces[i], at(copy.getRawDest(), offsets[i]), llvm::commonAlignment(dest, offsets[i]),
                               pieces[i]->isVolatile());
}

void copy_straight(llvm::MemTransferInst &copy, std::uint64_t size, const CompilerRules &rules) {
  if (alignment_of(copy) == 1 && size != 1 && !is_of_local(copy))
    note_byte_copy(copy, size, rules);
  llvm::IRBuilder<> builder(&copy);
  copy_pieces(builder, copy, nullptr, size, rules.copy_piece_size);
}

/// By a loop that has no line, each iteration of which moves as much as the copy is aligned to; a short one is straightened.
void copy_by_loop(llvm::MemCpyInst &copy, std::uint64_t size, const CompilerRules &rules) {
  if (is_of_local(copy) && !is_uncounted(copy)) // what nvcc makes one copy, or does not
    note_copy(copy);
  llvm::IRBuilder<> builder(&copy);
  const std::uint64_t step = alignment_of(copy), iterations = size / step;
  if (!becomes_loop(copy, rules)) {
    copy_pieces(builder, copy, nullptr, size, kWidestAccess);
    return;
  }
  copy_pieces(builder, copy, builder.getInt64(iterations * step), size % step, kWidestAccess);
  const auto [body, iteration] =
      llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(iterations), &*builder.GetInsertPoint());
  llvm::IRBuilder<> in_loop(body);
  in_loop.SetCurrentDebugLocation(llvm::DebugLoc());
  copy_pieces(in_loop, copy, in_loop.CreateMul(iteration, in_loop.getInt64(step)), step, kWidestAccess);
}

void set_pieces(llvm::MemSetInst &set, std::uint64_t size, const CompilerRules &rules) {
  llvm::IRBuilder<> builder(&set);
  const llvm::Align alignment = set.getDestAlign().valueOrOne();
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t bytes = piece_size(offset, size - offset, alignment, rules.copy_piece_size);
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

bool becomes_loop(const llvm::Instruction &instruction, const CompilerRules &rules) {
  const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
  const auto *length = copy ? llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()) : nullptr;
  return length && length->getZExtValue() > rules.straight_copy_size &&
         length->getZExtValue() / alignment_of(*copy) > rules.straight_copy_iterations;
}

bool expand_memory_intrinsics(llvm::Function &kernel, Copies which, const CompilerRules &rules) {
  bool changed = false;
  std::vector<llvm::LoadInst *> loads;
  std::vector<llvm::MemIntrinsic *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && which == Copies::All)
      loads.push_back(load);
    else if (auto *call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      const auto *length = llvm::dyn_cast<llvm::ConstantInt>(call->getLength());
      const bool early = is_of_local(*call) || !length ||
                         (length->getZExtValue() > rules.straight_copy_size && !llvm::isa<llvm::MemCpyInst>(call));
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
      copy_straight(*copy, length->getZExtValue(), rules);
    } else if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(call)) {
      if (straight)
        set_pieces(*set, length->getZExtValue(), rules);
      else
        llvm::expandMemSetAsLoop(set);
    } else if (auto *memcpy = llvm::dyn_cast<llvm::MemCpyInst>(call)) {
      if (length)
        copy_by_loop(*memcpy, length->getZExtValue(), rules);
      else
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
