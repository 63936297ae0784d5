#include "fixes/attach.h"

#include <algorithm>

namespace smem {
namespace {

Fix to_fix(const FixSuggestion &suggestion, const std::optional<Example> &after) {
  Fix fix;
  fix.kind = suggestion.layout.moves_elements() ? Fix::Kind::Swizzle : Fix::Kind::Padding;
  fix.title = suggestion.action;
  fix.edits = suggestion.edits;
  fix.not_written = suggestion.no_edit;
  fix.before = suggestion.before;
  fix.after = suggestion.after;
  fix.example_after = after;
  fix.verdict = suggestion.verdict;
  fix.rests_on_merging = suggestion.rests_on_merging;
  fix.shared_bytes_before = suggestion.bytes_before;
  fix.shared_bytes_after = suggestion.bytes_after;
  fix.blocks_per_sm_before = suggestion.blocks_before;
  fix.blocks_per_sm_after = suggestion.blocks_after;
  return fix;
}

} // namespace

void attach_fixes(std::span<Finding> findings, std::span<const FileFixes> fixes) {
  for (Finding &finding : findings) {
    if (finding.rule->id != rule::bank_conflict || !finding.site || finding.file >= fixes.size())
      continue;
    const FileFixes &file = fixes[finding.file];
    const auto own = std::find_if(file.sites.begin(), file.sites.end(), [&](const FixedSite &each) {
      return each.launch == finding.launch && each.site == *finding.site;
    });
    if (own != file.sites.end())
      finding.fixes.push_back(to_fix(file.suggestions[own->suggestion], own->after));
  }
}

} // namespace smem
