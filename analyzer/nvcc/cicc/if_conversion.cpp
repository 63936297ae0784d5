#include "nvcc/cicc/if_conversion.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "nvcc/cicc/load_sinking.h"
#include "nvcc/cicc/tail_merging.h"
#include "nvcc/facts/special_registers.h"

namespace smem {
namespace {

/// Something that LLVM keeps where it is, and the block around it.
void mark(llvm::BasicBlock &block) {
  llvm::IRBuilder<>(block.getTerminator()).CreateIntrinsic(llvm::Intrinsic::sideeffect, {}, {});
}

bool is_mark(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::sideeffect;
}

bool has_mark(const llvm::BasicBlock &block) { return llvm::any_of(block, is_mark); }

void remove_marks(llvm::BasicBlock &block) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
    if (is_mark(instruction))
      instruction.eraseFromParent();
}

llvm::PreservedAnalyses preserved(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses result;
  result.preserveSet<llvm::CFGAnalyses>();
  return result;
}

/// Does `block` end with a store to memory, not to a local variable, and a jump?
bool ends_with_store(const llvm::BasicBlock &block) {
  const auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
  const llvm::Instruction *last = branch && branch->isUnconditional() ? branch->getPrevNonDebugInstruction() : nullptr;
  while (last && is_mark(*last))
    last = last->getPrevNonDebugInstruction();
  const auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(last);
  return store && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
}

/// One of the ways from a branch to where both ways meet, and nothing else.
bool is_then_or_else(const llvm::BasicBlock &block) {
  const llvm::BasicBlock *before = block.getSinglePredecessor(), *behind = block.getSingleSuccessor();
  const auto *branch = before && behind ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return false;
  const llvm::BasicBlock *other = branch->getSuccessor(branch->getSuccessor(0) == &block);
  return other == behind || (other->getSinglePredecessor() == before && other->getSingleSuccessor() == behind);
}

template <typename Predicate> llvm::PreservedAnalyses mark_blocks(llvm::Function &function, Predicate stays) {
  bool changed = false;
  for (llvm::BasicBlock &block : function)
    if (is_then_or_else(block) && stays(block)) {
      mark(block);
      changed = true;
    }
  return preserved(changed);
}

constexpr llvm::StringLiteral kCallOfCicc = "smem_lint.call_of_cicc";

/// To cicc the functions of libdevice are calls of its own intrinsics by then, which it does not execute ahead of a branch. These it knows what they do.
bool is_known_to_cicc(const llvm::IntrinsicInst &intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::bitreverse:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::nvvm_prmt:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin: return true;
  default: return false;
  }
}

bool is_costly(const llvm::Instruction &instruction) {
  if (instruction.hasMetadata(kCallOfCicc))
    return true;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: return true;
  case llvm::Instruction::Call: {
    const llvm::Function *called = llvm::cast<llvm::CallInst>(instruction).getCalledFunction();
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return !is_mark(instruction) && !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) &&
           !(called && register_read_by(*called));
  }
  default: return false;
  }
}

/// Once functions have been inlined.
bool stays_costly(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return is_costly(instruction) && !(intrinsic && is_known_to_cicc(*intrinsic));
}

/// What nvcc has built in: functions of our own headers, which have no locations, and of Clang's.
bool is_built_in(const llvm::Function &function) {
  const llvm::DISubprogram *source = function.getSubprogram();
  return !source || source->getFilename().contains("__clang_cuda_");
}

/// One that will be replaced by what the function does.
bool is_open_call(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *called = call ? call->getCalledFunction() : nullptr;
  return called && !called->isDeclaration() && !called->hasFnAttribute(llvm::Attribute::NoInline);
}

} // namespace

void note_call_of_cicc(llvm::Instruction &instruction) {
  instruction.setMetadata(kCallOfCicc, llvm::MDNode::get(instruction.getContext(), {}));
}

llvm::PreservedAnalyses KeepCostlyBlocks::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  if (is_built_in(function))
    return preserved(false);
  return mark_blocks(function, [](const llvm::BasicBlock &block) { return llvm::any_of(block, is_costly); });
}

llvm::PreservedAnalyses KeepLoadingBlocks::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  return mark_blocks(function, [&](llvm::BasicBlock &block) { return !has_mark(block) && takes_loads(block, tree); });
}

llvm::PreservedAnalyses ReleaseBlocks::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  if (llvm::any_of(llvm::instructions(function), is_open_call))
    return preserved(false);
  const auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::BasicBlock &block : function)
    if (has_mark(block) && is_then_or_else(block) && !ends_with_store(block) && llvm::none_of(block, stays_costly) &&
        !takes_loads(block, tree)) {
      remove_marks(block);
      changed = true;
    }
  return preserved(changed);
}

llvm::PreservedAnalyses NoteEqualTails::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  mark_equal_tails(function);
  for (llvm::BasicBlock &block : function)
    if (may_have_equal_tail(block) && ends_with_store(block))
      mark(block);
  return llvm::PreservedAnalyses::none();
}

void release_block_without_branch(llvm::BasicBlock &block) {
  const llvm::BasicBlock *before = block.getSinglePredecessor();
  if (!before || before->getSingleSuccessor())
    remove_marks(block);
}

void release_all_blocks(llvm::Module &module) {
  if (llvm::Function *marker = module.getFunction("llvm.sideeffect")) {
    while (!marker->use_empty())
      llvm::cast<llvm::Instruction>(marker->user_back())->eraseFromParent();
    marker->eraseFromParent();
  }
}

} // namespace smem
