// One stage of the compiler model: what all of them are given, and what the list in pipeline.cpp says of each.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/OptimizationLevel.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "nvcc/cicc/access_history.h"
#include "nvcc/rules/rules.h"
#include "nvcc/uncertainty.h"

namespace smem {

/// The programs that are made of a module, and which of them a stage makes.
enum class Programs {
  Counted, ///< what nvcc makes of it, whose accesses are counted
  Source,  ///< what the source says, no access merged, removed or moved: races are looked for in it
  Both,
};

/// What stages are given. It outlives all passes.
struct StageContext {
  const CompilerRules &rules;
  IsHeader is_header;
  AccessHistory history;
  llvm::OptimizationLevel level = llvm::OptimizationLevel::O3;
  bool unrolls = true; ///< loops without a pragma
  /// Of stages that are not passes. They leave no analysis of a function that they have changed.
  llvm::FunctionAnalysisManager *analyses = nullptr;
  llvm::ModuleAnalysisManager *modules = nullptr;
  Programs made = Programs::Counted; ///< not both
  bool inlined = false;              ///< device functions have gone into kernels
  bool whole_program = false;        ///< no function of another file is called through a pointer
};

/// Where stages run, in this order.
enum class At {
  Generated,     ///< the module, as Clang generates it
  PipelineStart, ///< an extension point of LLVM's pipeline, as are those that follow
  EarlySimplification,
  Peephole,
  LateLoop,
  ScalarLate,
  VectorizerStart,
  OptimizerLast,
  Optimised, ///< the module, after LLVM's pipeline
  Finished,  ///< the same, where all that follows needs the whole of it
  Linked,    ///< the module, as the lowering begins: device functions go into kernels
  Kernel,    ///< each kernel
};

using ModuleStage = void (*)(llvm::Module &, StageContext &);
using KernelStage = void (*)(llvm::Function &, StageContext &);
using ModulePasses = void (*)(llvm::ModulePassManager &, StageContext &);
using FunctionPasses = void (*)(llvm::FunctionPassManager &, StageContext &);
using LoopPasses = void (*)(llvm::LoopPassManager &, StageContext &);

struct Stage {
  At at;
  Half half;
  std::string_view name;                    ///< unique, as tools and tests call it
  std::string_view why;                     ///< it stands here, or is there at all: a sentence
  std::vector<std::string_view> rules = {}; ///< of rules.def that it goes by
  std::variant<ModuleStage, KernelStage, ModulePasses, FunctionPasses, LoopPasses> run;
  unsigned from_level = 0;         ///< of optimisation
  Programs of = Programs::Counted; ///< which programs it makes
};

} // namespace smem
