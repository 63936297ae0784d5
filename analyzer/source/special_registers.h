// The special registers that the back end's intrinsics read.
#pragma once

#include <optional>

#include <llvm/IR/Intrinsics.h>

#include "smem/program.h"

namespace smem {

/// Nothing for an intrinsic that reads none, or one that programs do not have.
std::optional<SpecialRegister> special_register_of(llvm::Intrinsic::ID id);

} // namespace smem
