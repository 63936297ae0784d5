#include "fixes/describe.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace smem {
namespace {

/// "swizzle the index where W == 16, pad the rows elsewhere"
std::string in_words(const LayoutCases &cases) {
  std::string text;
  for (const LayoutCase &one : cases.cases) {
    const char *what = one.layout == Layout{}        ? "leave the rows as they are"
                       : one.layout.spread != 1      ? "give each element a word"
                       : one.layout.swizzles()       ? "swizzle the index"
                       : one.layout.moves_elements() ? "leave room between the elements"
                                                     : "pad the rows";
    text += (text.empty() ? "" : ", ") + std::string(what) +
            (one.condition.empty() ? " elsewhere" : " where " + one.condition);
  }
  return text;
}

/// The action for an array of this name and declaration.
std::string action_of(const std::string &name, const std::string &declaration, const Extents &extents,
                      const Layout &layout, const LayoutCases &cases) {
  if (cases.cases.size() > 1 && cases.index.empty())
    return in_words(cases) + ": `" + edited_declaration(declaration, cases) + "`";
  const std::string declared = edited_declaration(declaration, {{{{}, layout}}, {}, {}});
  if (!layout.moves_elements())
    return "pad the rows: `" + declared + "`";
  const std::string row = extents.sizes.size() > 1 ? "[row]" : "";
  std::string action = std::string(layout.spread != 1  ? "give each element a word"
                                   : layout.swizzles() ? "swizzle the index"
                                                       : "leave room between the elements") +
                       ": `" + name + row + "[" + expression(layout, extents.element, extents.element) + "]` for `" +
                       name + row + "[i]`";
  if (bytes(layout, extents) != extents.bytes())
    action += ", `" + declared + "`";
  return action;
}

} // namespace

void describe(FixSuggestion &suggestion, const FileAnalysis &analysis, const std::vector<const LaunchedArray *> &arrays,
              const LaunchedArray &worst, const LayoutPlan &plan) {
  for (std::size_t i = 0; i < arrays.size(); ++i)
    suggestion.arrays.push_back({analysis.launches[arrays[i]->launch].program, arrays[i]->array, plan.layouts[i],
                                 arrays[i]->instance.traffic.extents});
  std::sort(suggestion.arrays.begin(), suggestion.arrays.end());
  suggestion.arrays.erase(std::unique(suggestion.arrays.begin(), suggestion.arrays.end()), suggestion.arrays.end());
  const std::size_t at = static_cast<std::size_t>(std::find(arrays.begin(), arrays.end(), &worst) - arrays.begin());
  const Extents &extents = worst.instance.traffic.extents;
  suggestion.layout = plan.layouts[at];
  suggestion.bytes_after = suggestion.bytes_before + bytes(suggestion.layout, extents) - extents.bytes();
  suggestion.blocks_before = blocks_per_sm(*analysis.architecture, worst.instance.threads, suggestion.bytes_before);
  suggestion.blocks_after = blocks_per_sm(*analysis.architecture, worst.instance.threads, suggestion.bytes_after);
  suggestion.action = action_of(suggestion.array, program_of(analysis, worst).shared_arrays[worst.array].declaration,
                                extents, suggestion.layout, plan.cases);
}

} // namespace smem
