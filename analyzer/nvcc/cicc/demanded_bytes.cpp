// Instruction selection narrows a load whose one use, perhaps behind a shift to the right, is a mask of 8 or 16 bits, and one that is shifted to the right by
// all but 8 or 16 (of 64 bits, 32). It does not see through a read-only load (a parameter that is const and __restrict__: ld.global.nc) or inline PTX, nor where
// the mask has been merged with the shift that scales a 32-bit shared address. Of a 64-bit load half of which is not used ptxas drops the other register,
// whatever load that is.
#include "nvcc/cicc/demanded_bytes.h"

#include <optional>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/ptxas/inline_ptx_accesses.h"
#include "nvcc/facts/accesses.h"
#include "nvcc/uncertainty.h"
#include "nvcc/facts/machine.h"

namespace smem::lower {
namespace {

using Objects = llvm::SmallPtrSet<const llvm::Value *, 8>;

/// What inline PTX is given, __ldg() too, it might write.
Objects given_to_inline_ptx(const llvm::Function &kernel) {
  Objects objects;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel))
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && was_inline_ptx(*load))
      objects.insert(llvm::getUnderlyingObject(load->getPointerOperand()));
  return objects;
}

bool is_read_only(const llvm::LoadInst &load, const Objects &given_to_ptx) {
  if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  const auto *argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory() && !given_to_ptx.contains(argument);
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
        if (index.getOperand() == &value && index.isSequential() &&
            index.getSequentialElementStride(gep->getDataLayout()).getFixedValue() > 1)
          return true;
  }
  return false;
}

/// The bits of a loaded word that are used, where they are whole bytes and fewer than are loaded.
struct Part {
  unsigned first = 0, bits = 0;
};

std::optional<Part> used_part(const llvm::LoadInst &load, const Objects &given_to_ptx) {
  using namespace llvm::PatternMatch;
  const unsigned space = load.getPointerAddressSpace();
  if (!load.isUnordered() || !load.getType()->isIntegerTy() || !load.hasOneUse() ||
      (space != kGlobal && space != kShared))
    return std::nullopt;
  const unsigned width = load.getType()->getIntegerBitWidth();
  const bool pair = width == 64;                // of registers: the one that is not used is not loaded
  const bool as_written = was_inline_ptx(load); // instruction selection does not touch it, ptxas does
  if (!pair && (as_written || (space == kGlobal && is_read_only(load, given_to_ptx))))
    return std::nullopt;
  const llvm::Instruction *user = load.user_back();
  const bool elsewhere = user->getParent() != load.getParent(); // where ptxas looks, and instruction selection does not
  if (elsewhere && !pair)
    return std::nullopt;
  const llvm::APInt *number = nullptr;
  unsigned first = 0;
  const llvm::Instruction *shift = nullptr;
  if (match(user, m_LShr(m_Specific(&load), m_APInt(number))) && number->ult(width)) {
    shift = user;
    first = static_cast<unsigned>(number->getZExtValue());
    user = shift->hasOneUse() ? shift->user_back() : nullptr;
  }
  const auto stored = [](const llvm::Instruction &value) {
    return value.hasOneUse() && llvm::isa<llvm::StoreInst>(value.user_back());
  };
  unsigned bits = 0;
  if (user && match(user, m_And(m_Value(), m_APInt(number)))) {
    if ((number->isMask(8) || number->isMask(16)) && !is_shifted(*user)) {
      bits = number->countr_one();
    } else if (pair) { // one half, whatever becomes of it
      const llvm::APInt used = number->zext(128).shl(first);
      // A shift across the halves stays one unless all is then done with 32 bits.
      const auto is_word = [](const llvm::User *each) {
        const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(each);
        return llvm::isa<llvm::TruncInst>(each) || (gep && gep->getPointerAddressSpace() == kShared);
      };
      if (used.getActiveBits() <= 32 && (!first || llvm::all_of(user->users(), is_word)))
        return Part{0, 32};
      if (used.getActiveBits() <= 64 && used.countr_zero() >= 32)
        return Part{32, 32};
    }
  } else if (user && match(user, m_Trunc(m_Value()))) {
    const unsigned wanted = user->getType()->getIntegerBitWidth();
    if ((wanted == 8 || wanted == 16) && !stored(*user))
      bits = wanted;
    else if (pair && wanted == 32 && first >= 32)
      return Part{32, 32};
    else if (pair && wanted == 32)
      bits = 32;
  }
  // The upper part alone.
  if ((!bits || first % bits) && shift &&
      (width - first == 8 || width - first == 16 || (pair && width - first == 32)) && !is_shifted(*shift))
    bits = width - first;
  if (!bits || first % bits || first + bits > width || bits == width || (elsewhere && bits != 32))
    return std::nullopt;
  if (as_written)
    return Part{first / 32 * 32, 32};
  return Part{first, bits};
}

/// A part of a word is replaced (a bit field): what of it is loaded and stored depends on how that is put together.
void note_replaced_parts(llvm::Function &kernel) {
  using namespace llvm::PatternMatch;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    llvm::Value *kept = nullptr;
    const auto rest = m_And(m_Value(kept), m_Constant());
    if (!store || !match(store->getValueOperand(),
                         m_CombineOr(m_c_Or(rest, m_Value()), m_c_Add(rest, m_Value())))) // sums where no bits meet
      continue;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(kept);
        load &&
        llvm::getUnderlyingObject(load->getPointerOperand()) == llvm::getUnderlyingObject(store->getPointerOperand())) {
      raise_uncertainty(Uncertainty::Vectorisation, kernel, {AccessLocation::Kind::Load, load->getDebugLoc().get()});
      raise_uncertainty(Uncertainty::Vectorisation, kernel, {AccessLocation::Kind::Store, store->getDebugLoc().get()});
    }
  }
}

bool is_split_by_ptx(const llvm::User &user) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&user);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && llvm::StringRef(assembly->getAsmString()).contains("mov.b32 {");
}

/// A mask that is computed with: instruction selection narrows only whole bytes of it.
bool is_mask_of_number(const llvm::User &user) {
  return llvm::cast<llvm::Instruction>(user).getOpcode() == llvm::Instruction::And &&
         llvm::none_of(user.users(),
                       [](const llvm::User *each) { return llvm::isa<llvm::ICmpInst, llvm::TruncInst>(each); });
}

/// Fewer bytes would do for what is used of a load, and neither is it the part that instruction selection loads nor one that it is known not to look for: bits that are tested,
/// flags, the halves of a pair that inline PTX takes apart.
bool may_be_narrower(const llvm::LoadInst &load, const std::optional<Part> &part, llvm::DemandedBits &demanded,
                     const Objects &given_to_ptx) {
  const unsigned space = load.getPointerAddressSpace();
  if (!load.isUnordered() || load.use_empty() || (space != kGlobal && space != kShared))
    return false;
  if (load.hasOneUse() && load.getType()->getPrimitiveSizeInBits() == 32 && !was_inline_ptx(load)) {
    const llvm::User *user = load.user_back();
    if (is_split_by_ptx(llvm::isa<llvm::BitCastInst>(user) && user->hasOneUse() ? **user->user_begin() : *user))
      return true;
  }
  if (!load.getType()->isIntegerTy() || load.getType()->getIntegerBitWidth() < 16)
    return false;
  const unsigned width = load.getType()->getIntegerBitWidth();
  const llvm::APInt used = demanded.getDemandedBits(const_cast<llvm::LoadInst *>(&load));
  if (used.isZero())
    return false;
  if (part && part->bits < kWordBits)
    return used.lshr(part->first).getActiveBits() < part->bits;
  bool narrower = false;
  for (unsigned bits = 8; bits < (part ? part->bits : width); bits *= 2)
    narrower |= used.countr_zero() / bits == (used.getActiveBits() - 1) / bits;
  if (!narrower)
    return false;
  const llvm::Instruction *user = load.hasOneUse() ? load.user_back() : nullptr;
  while (user && part && user->hasOneUse() &&
         (user->getOpcode() == llvm::Instruction::LShr ||
          (llvm::isa<llvm::TruncInst>(user) && user->getType()->isIntegerTy(kWordBits))))
    user = user->user_back();
  if ((part || width < 64) && (was_inline_ptx(load) || (space == kGlobal && is_read_only(load, given_to_ptx)) ||
                               (user && user->getParent() != load.getParent())))
    return false;
  const bool stored =
      user && llvm::isa<llvm::TruncInst>(user) && user->hasOneUse() && llvm::isa<llvm::StoreInst>(user->user_back());
  return !(user && (is_mask_of_number(*user) || (!part && (stored || is_shifted(*user)))));
}

} // namespace

void demand_bytes(llvm::Function &kernel, llvm::DemandedBits &demanded) {
  note_replaced_parts(kernel);
  const Objects given_to_ptx = given_to_inline_ptx(kernel);
  std::vector<std::pair<llvm::LoadInst *, Part>> narrower;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const std::optional<Part> part = used_part(*load, given_to_ptx);
      if (may_be_narrower(*load, part, demanded, given_to_ptx))
        raise_uncertainty(Uncertainty::Vectorisation, kernel, {AccessLocation::Kind::Load, load->getDebugLoc().get()});
      if (part)
        narrower.emplace_back(load, *part);
    }
  for (const auto &[load, part] : narrower) {
    llvm::IRBuilder<> builder(load);
    const unsigned bytes = part.first / 8;
    llvm::Value *address = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), load->getPointerOperand(), bytes);
    llvm::LoadInst *narrow = builder.CreateAlignedLoad(builder.getIntNTy(part.bits), address,
                                                       llvm::commonAlignment(load->getAlign(), bytes));
    narrow->setAtomic(load->getOrdering(), load->getSyncScopeID());
    narrow->setDebugLoc(load->getDebugLoc());
    // At its old offset within the word; what is not loaded is not looked at.
    llvm::Value *word = builder.CreateShl(builder.CreateZExt(narrow, load->getType()), part.first);
    load->replaceAllUsesWith(word);
    load->eraseFromParent();
  }
}

} // namespace smem::lower
