// Pointers among a kernel's arguments, and which of them may lead to the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "race/number_type.h"
#include "smem/launch.h"
#include "smem/program.h"

namespace smem::race {

struct PassedPointer {
  std::pair<std::uint32_t, std::int64_t> place; ///< index of the parameter, offset in it
  std::string name{};
  std::optional<NumberType> type{}; ///< of what it points to
  std::ptrdiff_t depth = 0;         ///< 2: a pointer to pointers; 0: not known
  bool is_restrict = false;
  PointerOrigin origin{};
};

std::vector<PassedPointer> passed_pointers(const Program &program, const Launch &launch);

/// Whether both may lead to one place: not where they are known to lead into different allocations, nor, if that is not known, where numbers of
/// different types are read, as C++ has it: what is written as one type is not read as another, unless it is one of bytes.
bool may_be_one(const PassedPointer &a, const PassedPointer &b);
/// Whether what is read by one may be written by the other, of which `__restrict__` is told.
bool may_be_changed(const PassedPointer &read, const PassedPointer &written);

} // namespace smem::race
