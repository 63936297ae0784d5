// Calls of memcpy(), of whose arguments cicc knows no alignment.
#pragma once

#include <cstdint>
#include <span>

#include "nvcc/rules/rules.h"

namespace llvm {
class Function;
class MemTransferInst;
} // namespace llvm

namespace smem {

struct SourceAccess;

/// The accesses of a copy may be on any line. Raises Uncertainty::StructureCopy of it.
void note_copy(llvm::MemTransferInst &copy);

/// Bytes are copied; where a variable is aligned, ptxas makes words of some of them, and of many cicc makes a loop without a line. Raises Uncertainty::StructureCopy of such copies.
void note_byte_copy(llvm::MemTransferInst &copy, std::uint64_t size, const CompilerRules &rules);

/// The same of what LLVM has made one number of.
void note_unaligned_copies(llvm::Function &kernel, std::span<const SourceAccess> accesses);

} // namespace smem
