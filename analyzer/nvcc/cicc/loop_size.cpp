#include "nvcc/cicc/loop_size.h"

#include <algorithm>

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "nvcc/facts/accesses.h"
#include "nvcc/facts/machine.h"

namespace smem {
namespace {

/// libdevice's functions, which nvcc inlines before it unrolls; nothing where they have loops of their own. What is not listed was measured as
/// one instruction, or not at all.
std::optional<unsigned> size_of_mathematics(const llvm::CallBase &call, const CompilerRules &rules) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || call.isFast())
    return 1;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("llvm."))
    name.consume_front("__nv_");
  name = name.take_until([](char c) { return c == '.'; });
  if (call.getType()->isFloatTy())
    name.consume_back("f");
  const bool is_double = call.getType()->isDoubleTy();
  return llvm::StringSwitch<std::optional<unsigned>>(name)
      .Cases("sin", "cos", "tan", "fmod", std::nullopt)
      .Case("exp", is_double ? rules.exp_double_size : rules.exp_size)
      .Case("log", is_double ? rules.log_double_size : rules.log_size)
      .Cases("log2", "log10", rules.log_size)
      .Case("log1p", rules.log1p_size)
      .Case("tanh", is_double ? rules.tanh_double_size : rules.tanh_size)
      .Case("erf", rules.erf_size)
      .Case("cbrt", rules.cbrt_size)
      .Case("pow", rules.pow_size)
      .Default(1);
}

bool is_shared_array(const llvm::Value &object) {
  const auto *array = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return array && array->getAddressSpace() == kShared;
}

/// Shared arrays are addressed by 32 bits, whatever LLVM extends their indices to.
bool extends_shared_index(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && !instruction.use_empty() &&
         llvm::all_of(instruction.users(), [](const llvm::User *user) {
           const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
           return element && is_shared_array(*llvm::getUnderlyingObject(element));
         });
}

/// A load brings its elements.
bool is_loaded_element(const llvm::Instruction &instruction) {
  const auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
  if (!element)
    return false;
  const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(element->getVectorOperand());
  return llvm::isa<llvm::LoadInst>(cast ? cast->getOperand(0) : element->getVectorOperand()) &&
         llvm::isa<llvm::ConstantInt>(element->getIndexOperand());
}

/// A vector that is put together of elements.
bool is_assembly(const llvm::Value &value) {
  return llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(value);
}

/// Elements that are put together to be stored are still stores of their own, each but the first with an address of its own.
unsigned size_of_assembled(const llvm::StoreInst &store) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType());
  return vector && is_assembly(*store.getValueOperand()) ? 2 * vector->getNumElements() - 1 : 1;
}

bool is_only_stored(const llvm::Instruction &assembly) {
  return !assembly.use_empty() && llvm::all_of(assembly.users(), [&](const llvm::User *user) {
    return llvm::isa<llvm::StoreInst>(user) ||
           (is_assembly(*user) && is_only_stored(*llvm::cast<llvm::Instruction>(user)));
  });
}

/// An instruction in nvcc's measure; nothing for one that is not copied.
std::optional<unsigned> size_of(const llvm::Instruction &instruction, const CompilerRules &rules) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (call->cannotDuplicate())
      return std::nullopt;
    if (call->isConvergent()) // barriers and exchanges are copied like others
      return 1;
    if (!llvm::isa<llvm::MinMaxIntrinsic, llvm::DbgInfoIntrinsic>(call))
      return size_of_mathematics(*call, rules);
  }
  if (llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction) ||
      (llvm::isa<llvm::BitCastInst>(instruction) && instruction.getType()->isVectorTy()))
    return 0;
  if (const auto *widening = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
      widening && llvm::isa<llvm::LoadInst>(widening->getOperand(0)))
    return 0; // part of the load
  if (extends_shared_index(instruction) || is_loaded_element(instruction))
    return 0;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return size_of_assembled(*store);
  if (is_assembly(instruction) && is_only_stored(instruction))
    return 0;
  if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv ||
      instruction.getOpcode() == llvm::Instruction::FRem)
    return rules.division_size;
  return llvm::isa<llvm::MinMaxIntrinsic>(instruction) ? rules.minimum_size : 1;
}

/// Has a number been added to it before the loop, which was added to an index in it?
bool is_further_on(const llvm::Value &pointer, const llvm::Loop &loop) {
  const auto *element = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  return element && loop.isLoopInvariant(element) && element->hasAllConstantIndices() && !element->hasAllZeroIndices();
}

/// What was added to a pointer before the loop is added to the index in it, once for each access of words. Of smaller elements it is not.
bool adds_again(const llvm::Instruction &instruction, const llvm::Loop &loop) {
  const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (!element || element->hasAllConstantIndices() || loop.isLoopInvariant(element))
    return false;
  const auto *before = llvm::dyn_cast<llvm::GetElementPtrInst>(element->getPointerOperand());
  return before && loop.isLoopInvariant(before) && !before->hasAllZeroIndices() &&
         before->getNumIndices() == 1 && // of a row the index goes on beside it
         element->getDataLayout().getTypeStoreSize(element->getResultElementType()) >= kWordBytes;
}

} // namespace

std::optional<unsigned> size_of(const llvm::Loop &loop, const CompilerRules &rules) {
  unsigned size = static_cast<unsigned>(llvm::getOptionalIntLoopAttribute(&loop, kStraightened).value_or(0));
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const std::optional<unsigned> more = size_of(instruction, rules);
      if (!more)
        return std::nullopt;
      size += *more + adds_again(instruction, loop);
    }
  return size;
}

unsigned size_margin(const llvm::Loop &loop, const CompilerRules &rules) {
  unsigned more = 0;
  bool inlined = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (const llvm::DILocation *location = instruction.getDebugLoc())
        inlined |= location->getInlinedAt() != nullptr;
      if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
        more += branch->isConditional() && block != loop.getLoopLatch();
      const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!element)
        continue;
      if (element->hasAllConstantIndices())
        more += element->hasAllZeroIndices() ? 0 : 2; // an addition and an extension
      const bool of_sum = is_further_on(*element->getPointerOperand(), loop);
      for (const llvm::Value *index : element->indices()) {
        const auto *extended = llvm::dyn_cast<llvm::CastInst>(index);
        const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(extended ? extended->getOperand(0) : index);
        more += sum && loop.contains(sum) && llvm::isa<llvm::ConstantInt>(sum->getOperand(1));
        if (of_sum && !llvm::isa<llvm::Constant>(index))
          more += extended && extended->hasOneUse() ? 1 : 2;
      }
    }
  if (inlined)
    more += rules.straightened_in_functions; // they were so before they were inlined
  return more + (more != 0);                 // and one more, seen in such bodies
}

std::uint64_t hidden_size(const llvm::Loop &loop, const CompilerRules &rules) {
  std::uint64_t size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function *callee = call->getCalledFunction();
        if (callee && callee->getName().starts_with("llvm.nvvm.shfl"))
          size += rules.shuffle_size - 1;
        else if (const std::optional<unsigned> mathematics = size_of(instruction, rules))
          size += std::max(1U, *mathematics) - 1;
      }
  return size;
}

bool steps_through_local_array(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          element &&
          llvm::any_of(element->indices(), [&](const llvm::Value *index) { return !loop.isLoopInvariant(index); }) &&
          is_of_thread(*llvm::getUnderlyingObject(element)))
        return true;
  return false;
}

} // namespace smem
