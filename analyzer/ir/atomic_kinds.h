// Which atomic an instruction is.
#pragma once

#include "smem/memory_model.h"

namespace llvm {
class AtomicRMWInst;
class StringRef;
class Value;
} // namespace llvm

namespace smem::lower {

AtomicKind atomic_kind(const llvm::AtomicRMWInst &atomic);

/// Of an intrinsic by what follows `atomic.` in its name; `operand` is its first number.
AtomicKind atomic_kind(llvm::StringRef name, const llvm::Value *operand);

} // namespace smem::lower
