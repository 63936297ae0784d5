// The types of what is copied.
#pragma once

#include <cstdint>

namespace llvm {
class MemCpyInst;
class MemTransferInst;
class Type;
class Value;
} // namespace llvm

namespace smem {

/// What a pointer was declared to point to; null if that cannot be seen.
llvm::Type *declared_type(const llvm::Value &pointer);

/// Bytes: that of both sides.
std::uint64_t alignment_of(const llvm::MemTransferInst &copy);

/// Does `copy` copy a structure that is aligned to more than its numbers are, and than one of its members is long? nvcc has it as memory where it is only copied, and
/// not as a value (217 types, PTX and machine code read; "How structures are copied" in validate/RULES.md).
bool is_aligned_beyond_members(const llvm::MemCpyInst &copy);

} // namespace smem
