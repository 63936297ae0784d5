// Stores to shared arrays that optimisation has left without a reader.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// nvcc keeps stores to a shared array that is read somewhere, LLVM drops them where optimisation has removed what reads them: here
/// somebody always does.
struct AddReader : llvm::PassInfoMixin<AddReader> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// What is read of a shared array that nothing writes is any value: nvcc has none for what is read at a known address, and reads the rest, as a reader makes
/// LLVM do.
struct ReadUnwritten : llvm::PassInfoMixin<ReadUnwritten> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// After optimisation.
void remove_reader(llvm::Module &module);

} // namespace smem
