#include "nvcc/cicc/llvm_passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "nvcc/cicc/local_pointers.h"
#include "nvcc/lines/original_locations.h"

namespace smem {
namespace {

std::vector<llvm::OverflowingBinaryOperator *> sums_of(llvm::Loop &loop) {
  std::vector<llvm::OverflowingBinaryOperator *> sums;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (instruction.getOpcode() == llvm::Instruction::Add)
        sums.push_back(llvm::cast<llvm::OverflowingBinaryOperator>(&instruction));
  return sums;
}

} // namespace

void KeepLocationsInBranches::after(llvm::Function &function, const llvm::PreservedAnalyses &preserved) {
  if (preserved.areAllPreserved())
    return;
  merged_.after();
  after_speculation(function);
  before_hoisting(function);
}

void KeepLocationsOfHoisted::before(llvm::Loop &loop) {
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (llvm::isa<llvm::CallInst>(instruction) && instruction.getDebugLoc())
        calls_.emplace_back(&instruction, instruction.getDebugLoc());
}

void KeepLocationsOfHoisted::after(llvm::Loop &loop, const llvm::PreservedAnalyses &preserved) {
  if (preserved.areAllPreserved())
    return;
  for (const auto &[call, location] : calls_)
    if (auto *hoisted = llvm::cast_or_null<llvm::Instruction>(static_cast<llvm::Value *>(call));
        hoisted && !loop.contains(hoisted))
      hoisted->setDebugLoc(location);
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop.getExitBlocks(exits);
  after_hoisting(*loop.getHeader()->getParent(), exits);
}

void KeepOrigins::before(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const std::optional<AccessOrigin> origin = origin_of(instruction);
        origin && llvm::isa<llvm::LoadInst>(instruction))
      loads_.emplace_back(&instruction, *origin);
}

void KeepOrigins::after(llvm::Function &, const llvm::PreservedAnalyses &) {
  for (const auto &[load, origin] : loads_)
    if (auto *kept = llvm::cast_or_null<llvm::LoadInst>(static_cast<llvm::Value *>(load)); kept && !origin_of(*kept))
      set_origin(*kept, origin);
}

void KeepLocationsOfUnrolled::before(llvm::Loop &loop) { before_unrolling(loop); }

void KeepWrapping::before(llvm::Loop &loop) {
  for (llvm::OverflowingBinaryOperator *sum : sums_of(loop))
    if (!sum->hasNoSignedWrap())
      may_wrap_.push_back(llvm::cast<llvm::Instruction>(sum));
}

void KeepWrapping::after(llvm::Loop &loop, const llvm::PreservedAnalyses &) {
  for (llvm::OverflowingBinaryOperator *sum : sums_of(loop))
    if (auto *instruction = llvm::cast<llvm::Instruction>(sum); llvm::is_contained(may_wrap_, instruction))
      instruction->setHasNoSignedWrap(false);
}

void DistrustCopies::before(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->isSimple() && llvm::isa<llvm::LoadInst>(store->getValueOperand())) {
      stores_.emplace_back(store, store->getAlign());
      store->setAlignment(llvm::Align(1));
    }
  // A byte is aligned wherever it is: it is not seen to be what was loaded.
  for (const auto &[store, alignment] : stores_)
    if (auto *copy = llvm::cast<llvm::StoreInst>(store);
        copy->getDataLayout().getTypeStoreSize(copy->getValueOperand()->getType()) == 1) {
      auto *byte = new llvm::FreezeInst(copy->getValueOperand(), "", copy->getIterator());
      copy->setOperand(0, byte);
      bytes_.emplace_back(byte);
    }
}

void DistrustCopies::after(llvm::Function &, const llvm::PreservedAnalyses &) {
  for (const auto &[store, alignment] : stores_)
    if (store)
      llvm::cast<llvm::StoreInst>(store)->setAlignment(alignment);
  for (llvm::Value *value : bytes_)
    if (auto *byte = llvm::dyn_cast_or_null<llvm::FreezeInst>(value)) {
      byte->replaceAllUsesWith(byte->getOperand(0));
      byte->eraseFromParent();
    }
}

Gvn gvn(bool in_loops) {
  return Gvn(
      WrappedFunctionPass<llvm::GVNPass, DistrustCopies>(llvm::GVNPass(llvm::GVNOptions().setLoadInLoopPRE(in_loops))));
}

FirstCse first_cse() {
  return FirstCse(WrappedFunctionPass<CseAsNvcc, NoteDroppedTails>(CseAsNvcc(llvm::EarlyCSEPass())));
}

EarlyCse early_cse() { return EarlyCse(CseAsNvcc(llvm::EarlyCSEPass(/*UseMemorySSA=*/true))); }

LateCse late_cse() { return LateCse(early_cse()); }

InstCombine inst_combine() {
  return InstCombine(CombineAsNvcc(
      CombineOfOwnBits(WrappedFunctionPass<llvm::InstCombinePass, HideConditions>(llvm::InstCombinePass()))));
}

ConvergentSimplifyCfg convergent_simplify_cfg(llvm::SimplifyCFGOptions options) {
  return ConvergentSimplifyCfg(llvm::SimplifyCFGPass(options));
}

SimplifyCfg simplify_cfg(llvm::SimplifyCFGOptions options) { return SimplifyCfg(convergent_simplify_cfg(options)); }

llvm::PreservedAnalyses NoteLocalPointers::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  note_local_pointer_accesses(function);
  return llvm::PreservedAnalyses::all();
}

} // namespace smem
