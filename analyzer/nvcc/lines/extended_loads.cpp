#include "nvcc/lines/extended_loads.h"

#include <cstdint>
#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "nvcc/facts/machine.h"
#include "nvcc/uncertainty.h"

namespace smem::lower {
namespace {

/// `ld.global.nc` is no load to instruction selection, which extends what it returns.
bool is_noncoherent_load(const llvm::LoadInst &load) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(load.getPointerOperand(), objects);
  return llvm::all_of(objects, [](const llvm::Value *object) {
    const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
  });
}

/// Whether a byte is extended somewhere in what is computed.
bool has_extended_byte(const llvm::Value &value, unsigned depth = 4) {
  const auto *made = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!made || depth == 0)
    return false;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(made))
    return made->getOperand(0)->getType()->isIntegerTy(8);
  return llvm::isa<llvm::BinaryOperator>(made) &&
         (has_extended_byte(*made->getOperand(0), depth - 1) || has_extended_byte(*made->getOperand(1), depth - 1));
}

/// Does what is made of an extended number, by operations of one use each in one block, come to where no more than its last `bits` are wanted?
enum class Wanted : std::uint8_t { Narrow, Wide, Unclear };

Wanted wanted_of(const llvm::Instruction &extension, unsigned bits) {
  using namespace llvm::PatternMatch;
  const llvm::Instruction *now = &extension;
  // To the top of the register. A shift of the source's that is among it may be one of 16 bits.
  const auto shifted_by = [&](std::uint64_t shift) {
    return bits == 16 && shift > extension.getType()->getIntegerBitWidth() - bits ? Wanted::Unclear : Wanted::Narrow;
  };
  bool shifted = false;      // by few bits, which is done with 16 or 32
  constexpr int deepest = 6; // as deep as SelectionDAG looks
  for (int step = 0; step <= deepest && now->hasOneUse(); ++step) {
    const auto *user = llvm::cast<llvm::Instruction>(now->user_back());
    if (user->getParent() != extension.getParent())
      return Wanted::Wide;
    const bool byte = now->getType()->isIntegerTy(8); // is in a register of 16 bits, and cut off where it is used
    const llvm::APInt *number = nullptr;
    switch (user->getOpcode()) {
    case llvm::Instruction::And:
      // Shifted bits of a half-word are cut in 32 bits where 16 do not hold them.
      if (shifted && bits == 16)
        return Wanted::Unclear;
      if (match(user, m_And(m_Value(), m_APInt(number))) && number->getActiveBits() <= bits)
        return Wanted::Narrow;
      break;
    case llvm::Instruction::Shl:
      if (user->getOperand(0) != now || !match(user->getOperand(1), m_APInt(number)))
        return Wanted::Wide;
      if (number->uge(number->getBitWidth() - bits))
        return shifted_by(number->getZExtValue());
      shifted = true;
      break;
    case llvm::Instruction::Mul: // sums have shifts as products
      if (match(user->getOperand(1), m_Power2(number)) && number->logBase2() >= number->getBitWidth() - bits)
        return shifted_by(number->logBase2());
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      // Bytes that are packed into a word: cicc shifts some of them together.
      if (shifted && bits == 8 && has_extended_byte(*user->getOperand(user->getOperand(0) == now ? 1 : 0)))
        return Wanted::Unclear;
      break;
    case llvm::Instruction::Sub: break;
    case llvm::Instruction::Trunc:
      if (bits == 16)
        return Wanted::Narrow;
      break;
    default:
      return byte && llvm::isa<llvm::StoreInst, llvm::CmpInst, llvm::CastInst>(user) ? Wanted::Narrow : Wanted::Wide;
    }
    now = user;
  }
  return Wanted::Wide;
}

/// `(z + 1) * y` is what LLVM makes of `z * y + y`, and nvcc does not: `y` has two uses there.
bool is_factored(const llvm::Instruction &extension) {
  using namespace llvm::PatternMatch;
  const llvm::User *user = extension.user_back();
  return match(user, m_c_Mul(m_Specific(&extension), m_Add(m_Value(), m_ConstantInt())));
}

/// The extension of `(h & mask) << shift` where 16 bits do not hold the result; null: it is none.
const llvm::Instruction *extension_of_cut_half(const llvm::LoadInst &load) {
  using namespace llvm::PatternMatch;
  const auto *cut = llvm::cast<llvm::Instruction>(load.user_back());
  const llvm::APInt *mask = nullptr, *shift = nullptr;
  if (!load.getType()->isIntegerTy(16) || !match(cut, m_And(m_Specific(&load), m_APInt(mask))) || !cut->hasOneUse())
    return nullptr;
  const auto *extension = llvm::dyn_cast<llvm::ZExtInst>(cut->user_back());
  if (!extension || !extension->hasOneUse() ||
      !match(extension->user_back(), m_Shl(m_Specific(extension), m_APInt(shift))))
    return nullptr;
  return mask->getActiveBits() + shift->getZExtValue() > 16 ? extension : nullptr;
}

/// All lines that a load may count on.
void note(const llvm::LoadInst &load, llvm::ArrayRef<const llvm::Instruction *> others) {
  const auto raise = [&](const llvm::Instruction &at) {
    if (const llvm::DILocation *location = at.getDebugLoc().get())
      raise_uncertainty(Uncertainty::SourceLine, const_cast<llvm::Function &>(*load.getFunction()),
                        {AccessLocation::Kind::Load, location});
  };
  raise(load);
  for (const llvm::Instruction *other : others)
    raise(*other);
}

/// How an index is used: elements of `size` bytes, from a constant offset on.
struct Step {
  std::uint64_t size = 0;
  std::int64_t offset = 0;
  bool is_sum = false; ///< with another index into the same elements
};

std::optional<Step> step_of(const llvm::GetElementPtrInst &step, const llvm::Value &index) {
  const llvm::DataLayout &layout = step.getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(step.getType());
  llvm::MapVector<llvm::Value *, llvm::APInt> sizes;
  llvm::APInt offset(bits, 0);
  const auto add = [&](const llvm::Value *pointer) {
    const auto *other = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    return other && other->collectOffset(layout, bits, sizes, offset);
  };
  add(step.getPointerOperand());
  const llvm::GetElementPtrInst *last = &step;
  while (add(last) && last->hasOneUse() && llvm::isa<llvm::GetElementPtrInst>(last->user_back()))
    last = llvm::cast<llvm::GetElementPtrInst>(last->user_back());
  if (!last->hasOneUse() &&
      llvm::all_of(last->users(), [](const llvm::User *user) { return llvm::isa<llvm::GEPOperator>(user); }))
    offset.setAllBits(); // further on, all of them
  const auto found = sizes.find(const_cast<llvm::Value *>(&index));
  if (found == sizes.end())
    return {};
  const auto equal = llvm::count_if(sizes, [&](const auto &other) { return other.second == found->second; });
  return Step{found->second.getZExtValue(), offset.getSExtValue(), equal > 1};
}

/// What a number that is loaded goes through until it is part of an address.
struct IndexChain {
  llvm::SmallVector<const llvm::Instruction *> steps; ///< one use each, in one block; the last one computes the address
  unsigned operations = 0;                            ///< besides extensions
  unsigned shift = 0;                                 ///< to the right, before anything else
  bool is_cut = false;                                ///< to some of its bits, before it is extended
  bool is_cut_even = false;                           ///< the last of which is none of them
  bool is_computed = false;                           ///< by sums, products or shifts to the left of so few bits
  bool is_computed_wide = false;                      ///< of 32 bits
  bool is_combined = false;                           ///< bit by bit with a variable, when it is extended to 32 bits
  bool is_cut_wide = false;                           ///< to some of its bits, when it is extended to 32 bits
};

/// `z & m & 63` is `z & (m & 63)` to LLVM.
bool is_masked(const llvm::Value &value) {
  using namespace llvm::PatternMatch;
  return match(&value, m_And(m_Value(), m_ConstantInt()));
}

std::optional<IndexChain> index_chain_of(const llvm::LoadInst &load) {
  IndexChain chain;
  for (const llvm::Instruction *now = &load; now->hasOneUse();) {
    const auto *user = llvm::cast<llvm::Instruction>(now->user_back());
    if (user->getParent() != load.getParent())
      return {};
    chain.steps.push_back(user);
    const bool narrow = user->getType() == load.getType();
    const auto *number = user->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(user->getOperand(1)) : nullptr;
    switch (user->getOpcode()) {
    case llvm::Instruction::GetElementPtr: return chain;
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt: --chain.operations; break;
    case llvm::Instruction::And:
      chain.is_cut_wide |= !narrow && !number && is_masked(*user->getOperand(user->getOperand(0) == now ? 1 : 0));
      (narrow ? number ? chain.is_cut : chain.is_computed : number ? chain.is_cut_wide : chain.is_combined) = true;
      chain.is_cut_even |= narrow && number && !number->getValue()[0];
      break;
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      chain.is_combined |= !narrow && !number;
      chain.is_computed_wide |= !narrow && number;
      chain.is_computed |= narrow && chain.is_cut; // ~z & 63
      break;
    case llvm::Instruction::LShr:
      if (narrow && number && chain.operations == 0)
        chain.shift = static_cast<unsigned>(number->getZExtValue());
      else
        (narrow ? chain.is_computed : chain.is_computed_wide) = true;
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::AShr: (narrow ? chain.is_computed : chain.is_computed_wide) = true; break;
    case llvm::Instruction::Trunc: break;
    default: return {};
    }
    ++chain.operations;
    now = user;
  }
  return {};
}

/// A signed number that is computed with, and used as it is and extended further: it may be extended once or twice.
void note_extended_twice(const llvm::LoadInst &load) {
  const llvm::User *user = load.user_back();
  if (llvm::isa<llvm::SExtInst>(user) && user->hasOneUse())
    user = user->user_back();
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
  if (!operation || operation->hasOneUse())
    return;
  llvm::SmallVector<const llvm::Instruction *> users{operation};
  bool is_extended = false;
  for (const llvm::User *other : operation->users()) {
    users.push_back(llvm::cast<llvm::Instruction>(other));
    is_extended |= llvm::isa<llvm::SExtInst>(other);
  }
  if (is_extended)
    note(load, users);
}

/// A number that is loaded, computed with and made part of an address, which has 64 bits. Instruction selection has no use for its upper bits where the shift
/// that makes bytes of elements and what the number is cut to become one mask, or where a product of 32 bits does both: the load that extends anyhow counts where the address,
/// or what is done with 32 bits, does.
void count_where_index_is_cut(llvm::LoadInst &load) {
  note_extended_twice(load);
  const std::optional<IndexChain> chain = index_chain_of(load);
  if (!chain)
    return;
  const auto &last = llvm::cast<llvm::GetElementPtrInst>(*chain->steps.back());
  const llvm::Instruction &index = chain->steps.size() > 1 ? **(chain->steps.end() - 2) : load;
  const std::optional<Step> step = step_of(last, index);
  if (!step || !index.getType()->isIntegerTy(64))
    return;
  const bool byte = load.getType()->isIntegerTy(8), shared = last.getAddressSpace() == kShared;
  const bool scaled = step->size > 1 && llvm::isPowerOf2_64(step->size) && !step->is_sum;
  const bool within = step->offset >= 0 && static_cast<std::uint64_t>(step->offset) < step->size; // not w[z + 1]
  if (chain->is_computed || (chain->is_combined && chain->is_cut_wide) || (!byte && chain->is_cut_even))
    note(load, chain->steps);
  else if (chain->is_cut && scaled && !chain->is_computed_wide && !chain->is_combined) {
    const unsigned scale = llvm::Log2_64(step->size);
    if (!within) // some of which are a constant to LLVM that is put into other bits
      note(load, chain->steps);
    else if (byte ? chain->shift <= scale : chain->shift == scale)
      load.setDebugLoc(last.getDebugLoc());
  } else if (byte && !shared && chain->is_combined && scaled) {
    if (chain->operations == 1)
      load.setDebugLoc(chain->steps.front()->getDebugLoc());
    else
      note(load, chain->steps);
  } else if (byte && !shared && chain->operations == 0 && step->size > 1 && !within) {
    load.setDebugLoc(last.getDebugLoc());
  }
}

} // namespace

void count_where_extended(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || !load->hasOneUse() || !load->getDebugLoc() ||
        !(load->getType()->isIntegerTy(8) || load->getType()->isIntegerTy(16)))
      continue;
    if (is_noncoherent_load(*load))
      continue;
    const auto *extension = llvm::cast<llvm::Instruction>(load->user_back());
    const bool is_extended =
        llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) && extension->getParent() == load->getParent();
    const Wanted wanted = is_extended ? wanted_of(*extension, load->getType()->getIntegerBitWidth()) : Wanted::Wide;
    if (const llvm::Instruction *of_cut = extension_of_cut_half(*load);
        of_cut && of_cut->getDebugLoc() && of_cut->getDebugLoc().getLine() != load->getDebugLoc().getLine())
      note(*load, of_cut);
    else if (wanted == Wanted::Wide)
      count_where_index_is_cut(*load);
    else if (!extension->getDebugLoc() || extension->getDebugLoc().getLine() == load->getDebugLoc().getLine())
      continue;
    else if (wanted == Wanted::Unclear || is_factored(*extension))
      note(*load, extension);
    else
      load->setDebugLoc(extension->getDebugLoc());
  }
}

} // namespace smem::lower
