// Layouts that differ between the instantiations of a kernel.
#pragma once

#include "fixes/edits.h"

#include <map>
#include <string>
#include <vector>

namespace smem {

/// An instantiation: what tells it from the others, and the layouts that suit it (the preferred first).
struct Variant {
  std::vector<TemplateArgument> arguments;
  std::vector<Layout> layouts;
};

/// The fewest cases that give every variant a layout that suits it. Empty if some variant has none, or nothing that is known tells
/// the variants apart in a condition short enough to read. `chosen`: the layout of each variant.
LayoutCases distinguish(const std::vector<Variant> &variants, std::vector<Layout> &chosen);

} // namespace smem
