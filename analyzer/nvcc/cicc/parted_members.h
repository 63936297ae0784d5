// Members of one structure that other accesses stand between.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "nvcc/facts/accesses.h"

namespace smem {

/// Of accesses of one kind and block, in their order: does one of other memory, which may be theirs to LLVM, stand between them? nvcc knows that different members
/// of two structures of one type do not overlap, and may merge across it.
bool are_parted(llvm::ArrayRef<const SourceAccess *> members);

} // namespace smem
