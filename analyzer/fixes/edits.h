// From a layout to the text edits that give an array this layout.
#pragma once

#include "fixes/layout.h"
#include "report/fix.h"
#include "syntax/array_uses.h"

#include <map>
#include <string>
#include <vector>

namespace smem {

/// A layout, and the instantiations that it is for.
struct LayoutCase {
  std::string condition; ///< over template parameters, e.g. `PITCH == 32`; empty: all that no other case is for
  Layout layout;
};

/// The last case has no condition. Where `index` is not empty, it is what all cases come to: statements that return the new
/// index, of `i` and template parameters, and `spread` an expression of Layout::spread.
struct LayoutCases {
  std::vector<LayoutCase> cases;
  std::string index, spread;
};

struct PlannedEdits {
  std::vector<Edit> edits; ///< sorted, disjoint
  std::string refusal;     ///< not empty: why no edit can be written
};

using FileTexts = std::map<std::string, std::string>; ///< by normalised path

/// `variables`: the array and all through which it is accessed, indices into `uses.variables`. `element`: its bytes.
PlannedEdits plan_edits(const ArrayUses &uses, const std::vector<std::size_t> &variables, const LayoutCases &cases,
                        std::uint32_t element, const FileTexts &texts);

/// Edits must be sorted and disjoint, and lie within the text.
std::string apply_edits(const std::string &text, const std::vector<Edit> &edits, const std::string &file);

/// A declaration with its innermost extent changed: `float tile[32][33]`.
std::string edited_declaration(const std::string &declaration, const LayoutCases &cases);
std::string edited_extent(const std::string &extent, const LayoutCases &cases);

} // namespace smem
