#include <memory>
#include <optional>
#include <utility>

#include <clang/Basic/CodeGenOptions.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "nvcc/cicc/alias_analysis.h"
#include "nvcc/cicc/instrumentation.h"
#include "nvcc/cicc/llvm_settings.h"
#include "nvcc/facts/kernels.h"
#include "nvcc/llvm_pipeline.h"
#include "nvcc/pipeline.h"
#include "nvcc/source_reads.h"
#include "nvcc/stage.h"
#include "nvcc/stage_passes.h"
#include "nvcc/target.h"

namespace smem {
namespace {

/// LLVM's managers of analyses, and what builds its pipelines.
class Managers {
public:
  Managers(llvm::TargetMachine *target, const llvm::PipelineTuningOptions &tuning,
           llvm::PassInstrumentationCallbacks &callbacks)
      : builder(target, tuning, std::nullopt, &callbacks), target_(*target) {}

  void connect() {
    functions.registerPass([] { return BasicAliases(); });
    functions.registerPass([this] { return alias_analyses(target_); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;

private:
  llvm::TargetMachine &target_;
};

void run_module_stages(At at, llvm::Module &module, StageContext &context) {
  for (const Stage &stage : stages())
    if (runs(stage, at, context))
      std::get<ModuleStage>(stage.run)(module, context);
}

llvm::OptimizationLevel level_of(const clang::CodeGenOptions &options) {
  if (options.OptimizeSize)
    return options.OptimizeSize == 1 ? llvm::OptimizationLevel::Os : llvm::OptimizationLevel::Oz;
  switch (options.OptimizationLevel) {
  case 0: return llvm::OptimizationLevel::O0;
  case 1: return llvm::OptimizationLevel::O1;
  case 2: return llvm::OptimizationLevel::O2;
  default: return llvm::OptimizationLevel::O3;
  }
}

/// LLVM's pipeline with the stages that are in it.
void run_optimiser(llvm::Module &module, StageContext &context, std::stop_token stop) {
  const std::unique_ptr<llvm::TargetMachine> target = make_target(module);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = context.unrolls;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = false; // nvcc has no such vectorisers
  llvm::PassInstrumentationCallbacks callbacks;
  instrument_passes(callbacks, context.history, std::move(stop));
  Managers managers(target.get(), tuning, callbacks);
  const llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  managers.functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  managers.connect();
  llvm::ModulePassManager passes = llvm_pipeline(managers.builder, tuning, context);
  passes.run(module, managers.modules);
}

/// Calls body() with analyses for stages that are not passes.
template <typename Body> void with_analyses(llvm::Module &module, StageContext &context, Body &&body) {
  const std::unique_ptr<llvm::TargetMachine> target = make_target(module);
  llvm::PassInstrumentationCallbacks callbacks;
  Managers managers(target.get(), llvm::PipelineTuningOptions(), callbacks);
  managers.connect();
  context.analyses = &managers.functions;
  context.modules = &managers.modules;
  body();
  context.analyses = nullptr;
  context.modules = nullptr;
}

void run_kernel_stages(llvm::Module &module, StageContext &context, const std::stop_token &stop) {
  with_analyses(module, context, [&] {
    run_module_stages(At::Linked, module, context);
    for (llvm::Function *kernel : kernels_of(module)) {
      if (stop.stop_requested())
        return;
      for (const Stage &stage : stages())
        if (runs(stage, At::Kernel, context))
          std::get<KernelStage>(stage.run)(*kernel, context);
    }
  });
}

} // namespace

void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options, const IsHeader &is_header,
                      const CompilerRules &rules, std::stop_token stop, std::unique_ptr<llvm::Module> *source) {
  StageContext context{rules, is_header, {}, level_of(options), static_cast<bool>(options.UnrollLoops)};
  run_module_stages(At::Generated, module, context);
  if (source)
    *source = llvm::CloneModule(module);
  run_optimiser(module, context, stop);
  run_module_stages(At::Optimised, module, context);
  if (!stop.stop_requested())
    run_module_stages(At::Finished, module, context);
}

void shape_kernels(llvm::Module &module, const CompilerRules &rules, std::stop_token stop) {
  StageContext context{rules, {}, {}};
  run_kernel_stages(module, context, stop);
}

void shape_source_kernels(llvm::Module &module, const CompilerRules &rules, bool whole_program, std::stop_token stop) {
  StageContext context{rules, {}, {}};
  context.made = Programs::Source;
  context.whole_program = whole_program;
  retain_reads(module);
  run_module_stages(At::Optimised, module, context);
  run_kernel_stages(module, context, stop);
  release_reads(module);
}

std::string run_stages(llvm::Module &module, std::span<const std::string_view> names, const CompilerRules &rules) {
  if (const std::string &lacks = prepare_llvm(); !lacks.empty())
    return lacks;
  for (const std::string_view name : names)
    if (std::ranges::find(stages(), name, &Stage::name) == stages().end())
      return "there is no stage '" + std::string(name) + "'";
  StageContext context{rules, {}, {}};
  for (const std::string_view name : names) {
    const Stage &stage = *std::ranges::find(stages(), name, &Stage::name);
    with_analyses(module, context, [&] {
      if (const auto *of_module = std::get_if<ModuleStage>(&stage.run)) {
        (*of_module)(module, context);
      } else if (const auto *of_kernel = std::get_if<KernelStage>(&stage.run)) {
        for (llvm::Function *kernel : kernels_of(module))
          (*of_kernel)(*kernel, context);
      } else {
        llvm::ModulePassManager passes;
        add_stage(stage, passes, context);
        passes.run(module, *context.modules);
      }
    });
  }
  return {};
}

} // namespace smem
