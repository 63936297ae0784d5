// The optimiser between Clang's code generation and the lowering: LLVM's, held to what nvcc's does to memory instructions.
#pragma once

#include <stop_token>

#include "nvcc/uncertainty.h"

namespace clang {
class CodeGenOptions;
}
namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace smem {

/// Asked for an end, it skips the passes that are left: the module is not to be used then.
void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options, const IsHeader &is_header, std::stop_token stop = {});

} // namespace smem
