// Where loads came from, kept through optimisation.
//
// LLVM takes the place off an instruction that it hoists; nvcc leaves it on in some cases. Each load thus carries a note of its
// place that hoisting keeps, and gets the place back where nvcc keeps it.
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace smem {

/// Before optimisation.
void remember_places(llvm::Module &module);

/// Loads of `function` that lost their place get it back.
void restore_places(llvm::Function &function);

/// Loads of `function` that lost their place lose the note of it as well.
void forget_lost_places(llvm::Function &function);

/// After optimisation.
void forget_places(llvm::Module &module);

} // namespace smem
