// The machine that LLVM's passes are told of.
#pragma once

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace smem {

/// Once in a process, before anything else of LLVM's back end; later calls do nothing.
void initialise_target();

/// NVIDIA's GPUs, of the architecture that `module` was compiled for; null if this LLVM lacks them.
std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module);

} // namespace smem
