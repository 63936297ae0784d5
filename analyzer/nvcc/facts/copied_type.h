// The types of what is copied.
#pragma once

namespace llvm {
class MemCpyInst;
class Type;
class Value;
} // namespace llvm

namespace smem {

/// What a pointer was declared to point to; null if that cannot be seen.
llvm::Type *declared_type(const llvm::Value &pointer);

/// Does `copy` copy a structure that is aligned to more than its numbers are, and than one of its members is long? nvcc has it as memory where it is only copied, and
/// not as a value (217 types, PTX and machine code read; "How structures are copied" in validate/RULES.md).
bool is_aligned_beyond_members(const llvm::MemCpyInst &copy);

} // namespace smem
