// Instruction selection narrows a load whose one use, perhaps behind a shift to the right, is a mask of 8 or 16 bits. It does not see through a read-only load
// (a parameter that is const and __restrict__: ld.global.nc), nor where the mask has been merged with the shift that scales a
// 32-bit shared address. Of a 64-bit load half of which nobody uses ptxas drops the other register, read-only or not.
#include "lower/narrow_loads.h"

#include <optional>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace smem::lower {
namespace {

constexpr unsigned kGlobal = 1, kShared = 3;

bool is_read_only(const llvm::LoadInst &load) {
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  const auto *argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
}

/// Is `value` scaled by a shift of 32 bits?
bool is_shifted(const llvm::Value &value) {
  for (const llvm::User *user : value.users()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (!instruction)
      continue;
    if (instruction->getOpcode() == llvm::Instruction::Shl)
      return true;
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction) && is_shifted(*instruction))
      return true;
    const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
    if (gep && gep->getPointerAddressSpace() == kShared)
      for (auto index = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); index != end; ++index)
        if (index.getOperand() == &value && index.isSequential() && index.getSequentialElementStride(gep->getDataLayout()).getFixedValue() > 1)
          return true;
  }
  return false;
}

/// The bits of a loaded word that are used, where they are whole bytes and fewer than are loaded.
struct Part {
  unsigned first = 0, bits = 0;
};

std::optional<Part> used_part(const llvm::LoadInst &load) {
  using namespace llvm::PatternMatch;
  const unsigned space = load.getPointerAddressSpace();
  if (!load.isUnordered() || !load.getType()->isIntegerTy() || !load.hasOneUse() || (space != kGlobal && space != kShared))
    return std::nullopt;
  const unsigned width = load.getType()->getIntegerBitWidth();
  const bool pair = width == 64; // of registers: the one that nobody uses is not loaded
  if (space == kGlobal && is_read_only(load) && !pair)
    return std::nullopt;
  const llvm::Instruction *user = load.user_back();
  if (user->getParent() != load.getParent())
    return std::nullopt;
  const llvm::APInt *number = nullptr;
  unsigned first = 0;
  if (match(user, m_LShr(m_Specific(&load), m_APInt(number))) && user->hasOneUse() && number->ult(width)) {
    first = static_cast<unsigned>(number->getZExtValue());
    user = user->user_back();
  }
  unsigned bits = 0;
  if (match(user, m_And(m_Value(), m_APInt(number))) && (number->isMask(8) || number->isMask(16)) && !is_shifted(*user))
    bits = number->countr_one();
  else if (match(user, m_Trunc(m_Value())) && user->getType()->isIntegerTy(16) && !(user->hasOneUse() && llvm::isa<llvm::StoreInst>(user->user_back())))
    bits = 16;
  else if (pair && ((match(user, m_And(m_Value(), m_APInt(number))) && number->isMask(32)) || (match(user, m_Trunc(m_Value())) && user->getType()->isIntegerTy(32))))
    bits = 32;
  if (pair && match(user, m_And(m_Value(), m_APInt(number))) && !bits) { // one half, whatever becomes of it
    const llvm::APInt used = number->zext(128).shl(first);
    if (used.getActiveBits() <= 32)
      return Part{0, 32};
    if (used.getActiveBits() <= 64 && used.countr_zero() >= 32)
      return Part{32, 32};
  }
  if (!bits || first % bits || first + bits > width || bits == width)
    return std::nullopt;
  return Part{first, bits};
}

} // namespace

void narrow_loads(llvm::Function &kernel) {
  std::vector<std::pair<llvm::LoadInst *, Part>> narrower;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      if (const std::optional<Part> part = used_part(*load))
        narrower.emplace_back(load, *part);
  for (const auto &[load, part] : narrower) {
    llvm::IRBuilder<> builder(load);
    const unsigned bytes = part.first / 8;
    llvm::Value *address = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), load->getPointerOperand(), bytes);
    llvm::LoadInst *narrow = builder.CreateAlignedLoad(builder.getIntNTy(part.bits), address, llvm::commonAlignment(load->getAlign(), bytes));
    narrow->setAtomic(load->getOrdering(), load->getSyncScopeID());
    narrow->setDebugLoc(load->getDebugLoc());
    // In its old place within the word; what is not loaded is not looked at.
    llvm::Value *word = builder.CreateShl(builder.CreateZExt(narrow, load->getType()), part.first);
    load->replaceAllUsesWith(word);
    load->eraseFromParent();
  }
}

} // namespace smem::lower
