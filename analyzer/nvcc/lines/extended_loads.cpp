#include "nvcc/lines/extended_loads.h"

#include <cstdint>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

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

/// Does what is made of an extended number, by operations of one use each in one block, come to where no more than its last `bits` are wanted?
enum class Wanted : std::uint8_t { Narrow, Wide, Unclear };

Wanted wanted_of(const llvm::Instruction &extension, unsigned bits) {
  using namespace llvm::PatternMatch;
  const llvm::Instruction *now = &extension;
  // To the top of the register. A shift of the source's that is among it may be one of 16 bits.
  const auto shifted_by = [&](std::uint64_t shift) {
    return bits == 16 && shift > extension.getType()->getIntegerBitWidth() - bits ? Wanted::Unclear : Wanted::Narrow;
  };
  constexpr int deepest = 6; // as deep as SelectionDAG looks
  for (int step = 0; step <= deepest && now->hasOneUse(); ++step) {
    const auto *user = llvm::cast<llvm::Instruction>(now->user_back());
    if (user->getParent() != extension.getParent())
      return Wanted::Wide;
    const bool byte = now->getType()->isIntegerTy(8); // is in a register of 16 bits, and cut off where it is used
    const llvm::APInt *number = nullptr;
    switch (user->getOpcode()) {
    case llvm::Instruction::And:
      if (match(user, m_And(m_Value(), m_APInt(number))) && number->getActiveBits() <= bits)
        return Wanted::Narrow;
      break;
    case llvm::Instruction::Shl:
      if (user->getOperand(0) != now || !match(user->getOperand(1), m_APInt(number)))
        return Wanted::Wide;
      if (number->uge(number->getBitWidth() - bits))
        return shifted_by(number->getZExtValue());
      break;
    case llvm::Instruction::Mul: // sums have shifts as products
      if (match(user->getOperand(1), m_Power2(number)) && number->logBase2() >= number->getBitWidth() - bits)
        return shifted_by(number->logBase2());
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: break;
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

/// Both lines that a load may count on.
void note(llvm::LoadInst &load, const llvm::DILocation *other) {
  const llvm::DILocation *own = load.getDebugLoc().get();
  for (const llvm::DILocation *location : {own, other})
    raise_uncertainty(Uncertainty::SourceLine, *load.getFunction(), {AccessLocation::Kind::Load, location});
}

} // namespace

void count_where_extended(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || !load->hasOneUse() || !load->getDebugLoc() ||
        !(load->getType()->isIntegerTy(8) || load->getType()->isIntegerTy(16)))
      continue;
    const auto *extension = llvm::cast<llvm::Instruction>(load->user_back());
    if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) || extension->getParent() != load->getParent() ||
        !extension->getDebugLoc() || extension->getDebugLoc().getLine() == load->getDebugLoc().getLine() ||
        is_noncoherent_load(*load))
      continue;
    const Wanted wanted = wanted_of(*extension, load->getType()->getIntegerBitWidth());
    if (wanted == Wanted::Wide)
      continue;
    if (wanted == Wanted::Unclear || is_factored(*extension)) {
      note(*load, extension->getDebugLoc().get());
      continue;
    }
    load->setDebugLoc(extension->getDebugLoc());
  }
}

} // namespace smem::lower
