// What the compiler may have done to an access otherwise than the model has it.
#pragma once

#include "nvcc/uncertainties.h"

#include <optional>

namespace llvm {
class Instruction;
} // namespace llvm

namespace smem {

/// The counts of `access` are those of machine code only under that assumption; the verdict of its site says so.
void assume(llvm::Instruction &access, Uncertainty kind);

/// What has been assumed of `access`.
std::optional<Uncertainty> assumed(const llvm::Instruction &access);

} // namespace smem
