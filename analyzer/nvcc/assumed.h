// What the compiler may have done to an access otherwise than the model has it.
#pragma once

#include <string>

namespace llvm {
class Instruction;
class StringRef;
} // namespace llvm

namespace smem {

/// The counts of `access` are those of machine code only if `what` holds; the verdict of its site says so.
void assume(llvm::Instruction &access, llvm::StringRef what);

/// What has been assumed of `access`; empty: nothing.
std::string assumed(const llvm::Instruction &access);

} // namespace smem
