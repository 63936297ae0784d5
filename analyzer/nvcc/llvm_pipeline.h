// LLVM's own passes between the stages of the model, written out.
#pragma once

#include <llvm/Passes/PassBuilder.h>

#include "nvcc/stage.h"

namespace smem {

/// LLVM 19's default pipeline of the context's level, with the stages of the model where LLVM has extension points, with all loops rotated and simplified before anything leaves
/// one, and without the passes that nvcc does not have or that do nothing to CUDA. `builder` gives what the target adds at the start. `with_stages` false: without the model's stages and wrapped passes' notes,
/// as tests compare it with LLVM's.
llvm::ModulePassManager llvm_pipeline(llvm::PassBuilder &builder, const llvm::PipelineTuningOptions &tuning,
                                      StageContext &context, bool with_stages = true);

/// Names of LLVM's passes that are left out of it on purpose.
std::span<const std::string_view> passes_left_out();

} // namespace smem
