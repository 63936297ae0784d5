#include "nvcc/stage_passes.h"

#include <utility>

#include "nvcc/pipeline.h"

namespace smem {
namespace {

template <typename RunsHere>
void add_passes(llvm::ModulePassManager &passes, StageContext &context, RunsHere &&runs_here) {
  llvm::FunctionPassManager functions;
  bool any = false;
  const auto flush = [&] {
    if (std::exchange(any, false))
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::exchange(functions, llvm::FunctionPassManager())));
  };
  for (const Stage &stage : stages()) {
    if (!runs_here(stage))
      continue;
    if (const auto *of_functions = std::get_if<FunctionPasses>(&stage.run)) {
      (*of_functions)(functions, context);
      any = true;
    } else if (const auto *of_loops = std::get_if<LoopPasses>(&stage.run)) {
      llvm::LoopPassManager loops;
      (*of_loops)(loops, context);
      functions.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
      any = true;
    } else {
      flush();
      std::get<ModulePasses>(stage.run)(passes, context);
    }
  }
  flush();
}

template <typename Passes, typename Manager> void add_passes_at(At at, Manager &passes, StageContext &context) {
  for (const Stage &stage : stages())
    if (runs(stage, at, context))
      std::get<Passes>(stage.run)(passes, context);
}

} // namespace

bool runs(const Stage &stage, At at, const StageContext &context) {
  return stage.at == at && stage.from_level <= context.level.getSpeedupLevel() &&
         (stage.of == Programs::Both || stage.of == context.made);
}

void add_stages(At at, llvm::ModulePassManager &passes, StageContext &context) {
  add_passes(passes, context, [&](const Stage &stage) { return runs(stage, at, context); });
}

void add_stages(At at, llvm::FunctionPassManager &passes, StageContext &context) {
  add_passes_at<FunctionPasses>(at, passes, context);
}

void add_stages(At at, llvm::LoopPassManager &passes, StageContext &context) {
  add_passes_at<LoopPasses>(at, passes, context);
}

void add_stage(const Stage &stage, llvm::ModulePassManager &passes, StageContext &context) {
  add_passes(passes, context, [&](const Stage &other) { return &other == &stage; });
}

} // namespace smem
