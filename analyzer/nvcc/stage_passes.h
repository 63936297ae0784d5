// Stages that are passes, where a pipeline has room for them.
#pragma once

#include "nvcc/stage.h"

namespace smem {

/// Does it run there, at the level of optimisation, for the program that is made?
bool runs(const Stage &stage, At at, const StageContext &context);

/// The stages that run at one point, in their order. Those of functions that follow each other run over one function after the other.
void add_stages(At at, llvm::ModulePassManager &passes, StageContext &context);
void add_stages(At at, llvm::FunctionPassManager &passes, StageContext &context);
void add_stages(At at, llvm::LoopPassManager &passes, StageContext &context);

/// That one, which is a pass.
void add_stage(const Stage &stage, llvm::ModulePassManager &passes, StageContext &context);

} // namespace smem
