// Indices that several paths compute.
#pragma once

#include <span>

namespace llvm {
class Function;
} // namespace llvm

namespace smem {

struct SourceAccess;

/// `if (n > 5) x += in[i + 1]; s[i] = x; s[i + 1] = x;`: LLVM makes a phi of the two computations of i + 1 where partial redundancies go, which hides that s[i + 1] is beside s[i]; nvcc
/// merges them. Raises uncertainties of neighbours in shared memory; in global memory no more is known of alignment than what the type says.
void note_joined_indices(llvm::Function &kernel, std::span<const SourceAccess> accesses);

} // namespace smem
