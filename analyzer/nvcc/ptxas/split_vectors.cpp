#include "nvcc/ptxas/split_vectors.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "nvcc/access_record.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

/// Reads of single elements; false if `value` is used in another way.
bool collect(llvm::Value &value, unsigned element_bits, std::vector<llvm::ExtractElementInst *> &reads) {
  for (llvm::User *user : value.users()) {
    if (auto *read = llvm::dyn_cast<llvm::ExtractElementInst>(user)) {
      const auto *index = llvm::dyn_cast<llvm::ConstantInt>(read->getIndexOperand());
      if (!index ||
          index->getZExtValue() >= llvm::cast<llvm::FixedVectorType>(read->getVectorOperandType())->getNumElements())
        return false;
      reads.push_back(read);
    } else if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(user)) {
      const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(cast->getType());
      if (!type || type->getScalarSizeInBits() != element_bits || !collect(*cast, element_bits, reads))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

void split(llvm::LoadInst &load, const llvm::DataLayout &layout) {
  const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!type || !load.isSimple() || type->getElementType()->isPointerTy())
    return;
  const unsigned bits = type->getScalarSizeInBits(), count = type->getNumElements();
  std::vector<llvm::ExtractElementInst *> reads;
  if (bits % 8 ||
      layout.getTypeSizeInBits(const_cast<llvm::FixedVectorType *>(type)).getFixedValue() !=
          std::uint64_t{bits} * count ||
      !collect(load, bits, reads) || reads.empty())
    return;
  std::set<std::uint64_t> used;
  for (const llvm::ExtractElementInst *read : reads)
    used.insert(llvm::cast<llvm::ConstantInt>(read->getIndexOperand())->getZExtValue());
  // Narrow elements come by the word, unless there is just one of them.
  const bool by_word = bits < kWordBits && used.size() > 1;
  const unsigned piece_bits = by_word ? kWordBits : bits;
  if (piece_bits > bits * count)
    return;
  std::set<std::uint64_t> pieces;
  for (const std::uint64_t index : used)
    pieces.insert(index * bits / piece_bits);
  if (pieces.size() == bits * count / piece_bits)
    return;

  llvm::IRBuilder<> builder(&load);
  std::map<std::uint64_t, llvm::Value *> loaded;
  for (const std::uint64_t piece : pieces) {
    const std::uint64_t offset = piece * piece_bits / 8;
    llvm::Value *pointer = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
    llvm::LoadInst *part = builder.CreateAlignedLoad(builder.getIntNTy(piece_bits), pointer,
                                                     llvm::commonAlignment(load.getAlign(), offset));
    part->copyMetadata(load, {llvm::LLVMContext::MD_invariant_load});
    set_record(*part, {.assumed = record_of(load).assumed}); // ptxas does not see who wrote it
    loaded[piece] = part;
  }
  for (llvm::ExtractElementInst *read : reads) {
    const std::uint64_t bit = llvm::cast<llvm::ConstantInt>(read->getIndexOperand())->getZExtValue() * bits;
    builder.SetInsertPoint(read);
    llvm::Value *value = loaded[bit / piece_bits];
    if (bit % piece_bits)
      value = builder.CreateLShr(value, bit % piece_bits);
    if (bits < piece_bits)
      value = builder.CreateTrunc(value, builder.getIntNTy(bits));
    read->replaceAllUsesWith(builder.CreateBitCast(value, read->getType()));
    read->eraseFromParent();
  }
}

} // namespace

void split_vectors(llvm::Function &kernel) {
  std::vector<llvm::LoadInst *> loads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      loads.push_back(load);
  for (llvm::LoadInst *load : loads)
    split(*load, kernel.getDataLayout());
}

} // namespace smem::lower
