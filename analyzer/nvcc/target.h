// The machine that LLVM's passes are told of.
#pragma once

#include <memory>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace smem {

/// Once in a process, before anything else of LLVM's back end; later calls do nothing.
void initialise_target();

/// The number of the architecture that a kernel was compiled for: 90 of sm_90a. 0: not known.
unsigned architecture_of(const llvm::Function &kernel);

/// NVIDIA's GPUs, of the architecture that `module` was compiled for; null if this LLVM lacks them.
std::unique_ptr<llvm::TargetMachine> make_target(const llvm::Module &module);

} // namespace smem
