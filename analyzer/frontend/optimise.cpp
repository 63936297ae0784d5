#include "frontend/optimise.h"

#include <memory>
#include <string>
#include <utility>

#include <clang/Basic/CodeGenOptions.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "source/remembered_places.h"

namespace smem {

namespace {

/// Settings that have no other interface.
void set_command_line_options() {
  static const bool done = [] {
    auto &options = llvm::cl::getRegisteredOptions();
    const std::pair<const char *, const char *> settings[] = {
      // Loops of known length are unrolled further than LLVM's own limit of 300 would have it.
      {"unroll-threshold", "1000"},
    };
    for (const auto &[name, value] : settings)
      if (const auto option = options.find(name); option != options.end() && !option->second->getNumOccurrences())
        option->second->addOccurrence(0, name, value);
    return true;
  }();
  (void)done;
}

std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module) {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    return nullptr;
  std::string cpu;
  for (const llvm::Function &function : module)
    if (const llvm::Attribute attribute = function.getFnAttribute("target-cpu"); attribute.isStringAttribute()) {
      cpu = attribute.getValueAsString().str();
      break;
    }
  return std::unique_ptr<llvm::TargetMachine>(
    target->createTargetMachine(module.getTargetTriple(), cpu, "", llvm::TargetOptions(), std::nullopt));
}

/// The function that a pass has run over, where it was just one.
llvm::Function *function_of(llvm::Any unit) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&unit))
    return const_cast<llvm::Function *>(*function);
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

/// Where nvcc keeps the place of a load that moves, and where it does not: it does where a branch becomes a select, it does not where
/// a load leaves its loop.
void keep_places(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerAfterPassCallback([](llvm::StringRef pass, llvm::Any unit, const llvm::PreservedAnalyses &preserved) {
    if (preserved.areAllPreserved())
      return;
    const bool flattens = pass == "SimplifyCFGPass";
    if (!flattens && pass != "LICMPass")
      return;
    if (llvm::Function *function = function_of(unit)) {
      if (flattens)
        restore_places(*function);
      else
        forget_lost_places(*function);
    }
  });
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

} // namespace

void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options) {
  set_command_line_options();
  const std::unique_ptr<llvm::TargetMachine> target = make_target(module);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = options.UnrollLoops;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = false; // nvcc has no such vectorisers
  llvm::PassInstrumentationCallbacks callbacks;
  remember_places(module);
  keep_places(callbacks);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(target.get(), tuning, std::nullopt, &callbacks);
  const llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  const llvm::OptimizationLevel level = level_of(options);
  llvm::ModulePassManager passes =
    level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  forget_places(module);
}

} // namespace smem
