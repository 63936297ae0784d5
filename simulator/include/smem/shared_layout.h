// Where a kernel's shared arrays lie.
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

/// `arrays` are those that the kernel uses, in the order in which their producer has them in memory. Each begins at the next multiple of its declared
/// alignment, never of a higher one, and all dynamic ones at one place behind the others. Evidence: validate/RULES.md, "Shared memory layout".
SharedLayout layout_shared(const std::vector<SharedArray> &arrays, const Architecture &architecture);

} // namespace smem
