#include "nvcc/lines/extended_loads.h"

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

/// Does all that is made of `value` end in one store of its last `bits`?
bool is_stored_narrow(const llvm::Value &value, unsigned bits) {
  const llvm::Value *now = &value;
  constexpr int deepest = 6; // as deep as SelectionDAG looks
  for (int step = 0; step < deepest && now->hasOneUse(); ++step) {
    const auto *user = llvm::cast<llvm::Instruction>(now->user_back());
    switch (user->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: break;
    case llvm::Instruction::Trunc:
      return user->getType()->getIntegerBitWidth() <= bits && user->hasOneUse() &&
             llvm::isa<llvm::StoreInst>(user->user_back());
    default: return false;
    }
    now = user;
  }
  return false;
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
        is_noncoherent_load(*load) || !is_stored_narrow(*extension, load->getType()->getIntegerBitWidth()))
      continue;
    if (is_factored(*extension)) {
      note(*load, extension->getDebugLoc().get());
      continue;
    }
    load->setDebugLoc(extension->getDebugLoc());
  }
}

} // namespace smem::lower
