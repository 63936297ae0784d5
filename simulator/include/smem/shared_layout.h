// Where the compiler puts a kernel's shared arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/architecture.h"
#include "smem/program.h"

namespace smem {

struct SharedLayout {
  std::vector<std::uint64_t> offset; ///< of each Program::shared_arrays, from the start of the block's shared window
  std::uint64_t static_bytes = 0;    ///< end of the static part, reserved bytes not included
  std::uint64_t dynamic_offset = 0;  ///< start of every extern __shared__ array
};

/// The order and alignment rules that ptxas follows; evidence in the implementation.
///
/// `arrays` are those that the kernel uses, in the order in which nvcc emits them: arrays of one function in the order of
/// their declarations, whatever the order of use; file-scope arrays before them. Between functions the order is that of
/// their emission: an `inline`, `static` or template function's arrays follow those of an ordinary kernel, an ordinary
/// `__device__` function's stand where the function is defined, and a kernel template's arrays follow those of the function
/// templates that it calls.
///
/// ptxas merges adjacent accesses by these offsets, not by the declared alignment: `float a[33], b[8][64]` keeps scalar loads
/// of `b` (offset 132), `float a[32], b[8][64]` gets 128-bit ones. An extern array counts as 16-byte aligned.
SharedLayout layout_shared(const std::vector<SharedArray> &arrays, const Architecture &architecture);

} // namespace smem
