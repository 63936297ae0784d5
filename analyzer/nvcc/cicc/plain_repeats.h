// Loads that every compiler makes one.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace smem {

/// Loads of what their block has loaded before, from an address that is computed alike and with nothing written in between: `s[j] * s[j]`. nvcc certainly loads once.
llvm::SmallPtrSet<const llvm::Instruction *, 8> plain_repeats(const llvm::Function &function);

} // namespace smem
