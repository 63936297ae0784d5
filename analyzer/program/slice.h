// Backward slice of a Program: what decides the counts of its sites, nothing else.
#pragma once

#include "smem/program.h"

namespace smem::lower {

/// As `MemoryOperation::shared_array` before slicing, which finds out where addresses come from: the access is one to several arrays.
inline constexpr std::uint32_t kSeveralArrays = kNone - 1;

enum class Keep : std::uint8_t {
  Counts,
  Order, ///< also what orders accesses, and MemoryOperation::stored
};

/// Keeps sites, barriers and what their addresses, guards and execution depend on. Branches that decide nothing kept
/// become jumps to where their paths meet. Loads whose result is needed keep the stores that may have written it.
void slice(Program &program, Keep keep = Keep::Counts);

} // namespace smem::lower
