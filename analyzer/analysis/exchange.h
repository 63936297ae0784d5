// What the translation units of a run know of one another: launches and calls of one are those of another's kernels and functions.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "host/launches.h"

namespace smem {

struct Exchanged {
  std::vector<ForeignCode> foreign; ///< by unit: what it is to be analysed with
  std::vector<std::vector<Diagnostic>>
      diagnostics; ///< by unit: launches and calls that cannot be told what they are of
  std::set<SourceLocation>
      instantiated; ///< kernel templates that some unit instantiates: no other needs to suppose arguments for them
};

/// A kernel has launches of other units where its own unit has none: of the very definition (a header's), or of one that is only declared
/// where it is launched, if one definition has that name. The order of the units is that of the launches. Null: a unit that could not be read.
/// `files`: the main file of each.
Exchanged exchange(std::span<const UnitInterface *const> units, std::span<const std::string> files);

} // namespace smem
