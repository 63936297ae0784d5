// Where the compiler puts a kernel's shared arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "smem/architecture.h"
#include "smem/program.h"

namespace smem {

struct SharedLayout {
  std::vector<std::uint64_t> offset;  ///< of each Program::shared_arrays, from the start of the block's shared window
  std::uint64_t static_bytes = 0;     ///< end of the static part, reserved bytes not included
  std::uint64_t dynamic_offset = 0;   ///< start of every extern __shared__ array
};

/// The order and alignment rules that ptxas follows; evidence in the implementation.
SharedLayout layout_shared(const std::vector<SharedArray> &arrays, const Architecture &architecture);

} // namespace smem
