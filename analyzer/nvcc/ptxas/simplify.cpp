#include "nvcc/ptxas/simplify.h"

#include <optional>
#include <vector>

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "nvcc/facts/memory_order.h"

namespace smem::lower {
namespace {

bool is_empty_ptx(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && call->getType()->isVoidTy() && llvm::StringRef(assembly->getAsmString()).trim().empty();
}

/// Inline PTX that is about registers, which LLVM takes for one that may access all memory.
bool touches_no_memory(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isInlineAsm() && instruction.mayReadOrWriteMemory() && !orders_memory(instruction);
}

enum class Rounding { Nearest, Down, Up, Zero };

std::optional<Rounding> rounding_of(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::roundeven: return Rounding::Nearest;
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::nvvm_floor_f:
  case llvm::Intrinsic::nvvm_floor_d: return Rounding::Down;
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::nvvm_ceil_f:
  case llvm::Intrinsic::nvvm_ceil_d: return Rounding::Up;
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::nvvm_trunc_f:
  case llvm::Intrinsic::nvvm_trunc_d: return Rounding::Zero;
  default: return std::nullopt;
  }
}

/// Conversions with their rounding, by the same order as Rounding.
struct Conversions {
  bool from_double, is_signed;
  unsigned bits;
  llvm::Intrinsic::ID by_rounding[4];
};

#define SMEM_CONVERSIONS(name)                                                                                         \
  {llvm::Intrinsic::name##_rn, llvm::Intrinsic::name##_rm, llvm::Intrinsic::name##_rp, llvm::Intrinsic::name##_rz}
constexpr Conversions kConversions[] = {
    {false, true, 32, SMEM_CONVERSIONS(nvvm_f2i)},  {false, false, 32, SMEM_CONVERSIONS(nvvm_f2ui)},
    {false, true, 64, SMEM_CONVERSIONS(nvvm_f2ll)}, {false, false, 64, SMEM_CONVERSIONS(nvvm_f2ull)},
    {true, true, 32, SMEM_CONVERSIONS(nvvm_d2i)},   {true, false, 32, SMEM_CONVERSIONS(nvvm_d2ui)},
    {true, true, 64, SMEM_CONVERSIONS(nvvm_d2ll)},  {true, false, 64, SMEM_CONVERSIONS(nvvm_d2ull)},
};
#undef SMEM_CONVERSIONS

/// Conversions that differ in such marks only would not be taken for the same.
void make_plain(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || llvm::none_of(kConversions, [&](const Conversions &each) {
        return llvm::is_contained(each.by_rounding, call->getIntrinsicID());
      }))
    return;
  call->setTailCallKind(llvm::CallInst::TCK_None);
  call->setAttributes({});
}

/// `conversion` rounds to zero what `rint`, `floor` or `ceil` has rounded already: both as one, if they can be.
llvm::Value *one_conversion(llvm::CastInst &conversion) {
  const auto *rounded = llvm::dyn_cast<llvm::IntrinsicInst>(conversion.getOperand(0));
  const std::optional<Rounding> rounding = rounded ? rounding_of(*rounded) : std::nullopt;
  if (!rounding)
    return nullptr;
  for (const Conversions &each : kConversions)
    if (conversion.getType()->isIntegerTy(each.bits) && each.is_signed == llvm::isa<llvm::FPToSIInst>(conversion) &&
        (each.from_double ? rounded->getType()->isDoubleTy() : rounded->getType()->isFloatTy())) {
      llvm::IRBuilder<> builder(&conversion);
      llvm::CallInst *call =
          builder.CreateIntrinsic(each.by_rounding[static_cast<int>(*rounding)], {}, {rounded->getArgOperand(0)});
      return call;
    }
  return nullptr;
}

} // namespace

bool simplify_as_ptxas(llvm::Function &kernel) {
  std::vector<llvm::Instruction *> gone;
  bool any_computing = false;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    if (is_empty_ptx(instruction)) {
      gone.push_back(&instruction);
    } else if (touches_no_memory(instruction)) {
      // To ptxas the statement is not there, only what it says: what is loaded or stored on both sides of it is one.
      llvm::cast<llvm::CallBase>(instruction).setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
      any_computing = true;
    } else if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) {
      if (llvm::Value *conversion = one_conversion(llvm::cast<llvm::CastInst>(instruction))) {
        instruction.replaceAllUsesWith(conversion);
        gone.push_back(&instruction);
      }
    }
  }
  for (llvm::Instruction *instruction : gone)
    instruction->eraseFromParent();
  if (!gone.empty())
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      make_plain(instruction);
  return !gone.empty() || any_computing;
}

} // namespace smem::lower
