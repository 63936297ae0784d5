// Values for arguments that nothing is said of.
#pragma once

#include "smem/program.h"

#include <optional>
#include <string>

namespace smem {

inline constexpr std::int64_t kPlausibleExtent = 1024; ///< of matrices and the like
inline constexpr std::int64_t kPlausibleShift = 5;     ///< to a power of two, a warp's

/// A value with the width of the scalar, and as a reader writes it.
struct PlausibleArgument {
  std::string name;                   ///< `n`, `p.rows`
  std::uint64_t offset = 0, size = 0; ///< bytes
  bool pointer = false;
  bool any_value = false; ///< none is chosen: there is no `value`
  bool floating = false;  ///< `value` has the bits of a floating-point number
  bool discrete =
      false; ///< a bool or an enumeration: `value` is the one under which the kernel comes to most of its accesses
  bool shifts = false; ///< something is shifted by it
  std::int64_t value = 0;
  std::string text; ///< `1024`, `1.0`
};

/// For the scalar of parameter `index` that lies around byte `offset`; nullopt where that is not one scalar. Of a bool or an enumeration the
/// value under which the kernel comes to most of its accesses.
std::optional<PlausibleArgument> plausible_argument(const Program &program, std::uint32_t index, std::uint64_t offset);

} // namespace smem
