// What lies between two instructions.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem {

/// Is there an instruction of that kind on some way from `first` to `second`, which it dominates? Ways that come to `second` again without `first` count, too.
bool any_between(const llvm::Instruction &first, const llvm::Instruction &second,
                 llvm::function_ref<bool(const llvm::Instruction &)> is_one);

} // namespace smem
