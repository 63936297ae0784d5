// memcpy, memmove and memset as the accesses that the back end makes of them.
#pragma once

#include <cstdint>

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace smem::lower {

enum class Copies : std::uint8_t {
  Early, ///< those of locals, which dissolve into registers, and those of unknown length, which become loops
  All,
};

/// Is it a copy of constant size that becomes a loop, which has no line?
bool becomes_loop(const llvm::Instruction &instruction, const CompilerRules &rules);

/// Calls of constant size become loads and stores, long ones loops of the widest accesses; those of unknown length loops of bytes. Code generation expands short ones last of all: what a copy
/// has loaded is loaded again where the source says so, and neighbours are not merged with its pieces before ptxas does it. Whether there
/// were any.
bool expand_memory_intrinsics(llvm::Function &kernel, Copies which, const CompilerRules &rules);

} // namespace smem::lower
