// The optimiser between Clang's code generation and the lowering: LLVM's, held to what nvcc's does to memory instructions.
#pragma once

namespace clang {
class CodeGenOptions;
}
namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace smem {

void optimise_as_nvcc(llvm::Module &module, const clang::CodeGenOptions &options);

} // namespace smem
