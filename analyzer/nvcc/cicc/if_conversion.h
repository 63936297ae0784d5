// Then and else blocks of branches that nvcc keeps where LLVM would if-convert them, or make one access of both.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class BasicBlock;
class Module;
} // namespace llvm

namespace smem {

// nvcc if-converts cheap blocks, then sinks loads that only one block uses into it; a load keeps the block from then on. LLVM if-converts more
// blocks, and others when it knows the functions that are called in them. Read off nvcc 13's PTX: no if-conversion of calls of any function, divisions and
// floating point that becomes integers, however little is left of them in the end, nor of more instructions than rules/rules.def says.

/// At the very beginning: costly blocks stay for now.
struct KeepCostlyBlocks : llvm::PassInfoMixin<KeepCostlyBlocks> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// After the first if-conversion: of the blocks that are left, those stay that loads are sunk into.
struct KeepLoadingBlocks : llvm::PassInfoMixin<KeepLoadingBlocks> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Where calls have been replaced by what they do: blocks of what cicc knows by now, such as min(), need not stay unless loads are sunk into them.
struct ReleaseBlocks : llvm::PassInfoMixin<ReleaseBlocks> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Of what the model has written out and cicc calls: its block stays.
void note_call_of_cicc(llvm::Instruction &instruction);

/// Notes the then and else blocks of branches (nvcc/cicc/tail_merging.h), and keeps LLVM from making one of the stores that they end with: nvcc does so by other rules
/// (nvcc/cicc/store_sinking.h).
struct NoteEqualTails : llvm::PassInfoMixin<NoteEqualTails> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Of a block that is none of a branch's any more.
void release_block_without_branch(llvm::BasicBlock &block);

/// After optimisation: takes away what has kept them.
void release_all_blocks(llvm::Module &module);

} // namespace smem
