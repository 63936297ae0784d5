// Memory that nothing in a kernel writes, to nvcc.
#pragma once

#include "nvcc/facts/accesses.h"

namespace smem {

/// What `__restrict__` or `__ldg()` says LLVM heeds as well: where cicc makes one of two such loads, the model has one.
bool is_read_only_to_llvm(const SourceAccess &access);

/// cicc loads through the read-only cache (`ld.global.nc`) what `__restrict__` pointers lead to that are not written through, and, where a kernel writes through such pointers alone, all
/// other memory of its caller, too. Such loads ptxas moves and joins across barriers. A plain pointer that is written through is enough against it, whatever its type, and so is a variable, a
/// fence, and what a call or volatile PTX might do; exchanges between lanes, some of which are not, do not count here. nvcc 13.0 for sm_90, PTX and machine code of 50 kernels read.
class ReadOnlyMemory {
public:
  explicit ReadOnlyMemory(const llvm::Function &kernel);

  /// May a barrier fail to keep it in place? A store through a `__restrict__` pointer may be one of those: no other pointer sees it.
  bool crosses_barriers(const SourceAccess &access) const;

private:
  bool is_all_; ///< but what is written
};

} // namespace smem
