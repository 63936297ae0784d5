// The special registers that the back end's intrinsics read.
#pragma once

#include <optional>

#include <llvm/IR/Intrinsics.h>

#include "smem/program.h"

namespace llvm {
class Function;
}

namespace smem {

/// Nothing for an intrinsic that reads none, or one that programs do not have.
std::optional<SpecialRegister> special_register_of(llvm::Intrinsic::ID id);

/// The intrinsic that `getter` does nothing but call to read a special register; null if it does anything else. `threadIdx.x` is such a function to Clang.
llvm::Function *register_read_by(const llvm::Function &getter);

} // namespace smem
