#include "nvcc/cicc/alias_analysis.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>

namespace smem {

BasicAliases::Result BasicAliases::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  return {function.getDataLayout(), function, analyses.getResult<llvm::TargetLibraryAnalysis>(function),
          analyses.getResult<llvm::AssumptionAnalysis>(function), /*DT=*/nullptr};
}

} // namespace smem
