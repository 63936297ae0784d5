// Which instructions are one site.
#pragma once

#include <compare>
#include <string>
#include <tuple>
#include <vector>

#include "smem/memory_model.h"
#include "smem/source.h"

namespace smem::lower {

/// Instructions of one source location, such as the copies of an unrolled loop's, are one site if they do the same thing to the same array, with the same said of it.
struct SiteKey {
  SourceLocation location;
  std::vector<SourceLocation> calls; ///< that it was inlined through, outwards
  Access access;
  bool generic = false;
  bool followed = false; ///< through a pointer that was loaded at the same location
  std::string array;
  std::string not_lowered;
  std::string assumption; ///< its text

  /// A copy's being under a condition does not make another site of it.
  auto members() const {
    return std::tie(location, calls, access.space, access.operation, access.width_bits, access.atomic,
                    access.result_used, access.matrices, access.transposed, access.bypass_l1, access.operand_bytes,
                    access.uncounted, generic, followed, array, not_lowered, assumption);
  }
  std::strong_ordering operator<=>(const SiteKey &other) const { return members() <=> other.members(); }
  bool operator==(const SiteKey &other) const { return members() == other.members(); }
};

} // namespace smem::lower
