// `threadIdx.x` and its like.
#pragma once

#include <llvm/IR/PassManager.h>

namespace smem {

/// `threadIdx.x` is a register to nvcc, and a function that reads it to Clang. Hoisting must see the register. But two readings are not yet the same then:
/// nvcc has branches left that compare them.
struct ReadRegisters : llvm::PassInfoMixin<ReadRegisters> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace smem
