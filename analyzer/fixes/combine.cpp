#include "fixes/combine.h"

#include "fixes/prove.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace smem {
namespace {

/// Whether these hold together; then they become the combined edits.
bool together(const std::vector<const FixSuggestion *> &suggestions, FileFixes &fixes, const FileAnalysis &analysis,
              const AnalysisOptions &options) {
  std::vector<Edit> edits;
  std::vector<Intent> wanted;
  for (const FixSuggestion *suggestion : suggestions) {
    edits.insert(edits.end(), suggestion->edits.begin(), suggestion->edits.end());
    for (const FixedArray &each : suggestion->arrays)
      wanted.push_back({each.program, each.array, each.layout, each.extents});
  }
  std::stable_sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
  });
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  const auto overlap = [](const Edit &a, const Edit &b) { return a.file == b.file && a.offset + a.length > b.offset; };
  if (std::adjacent_find(edits.begin(), edits.end(), overlap) != edits.end())
    return false;
  Proof proof = prove(analysis, options, wanted, edits, fixes.texts);
  if (proof.holds) {
    fixes.combined = std::move(edits);
    fixes.after = std::move(proof.after);
  }
  return proof.holds;
}

} // namespace

void combine(FileFixes &fixes, const FileAnalysis &analysis, const AnalysisOptions &options) {
  std::vector<const FixSuggestion *> written;
  for (const FixSuggestion &suggestion : fixes.suggestions)
    if (!suggestion.edits.empty())
      written.push_back(&suggestion);
  if (written.empty() || together(written, fixes, analysis, options))
    return;
  std::vector<const FixSuggestion *> kept;
  for (const FixSuggestion *each : written) {
    kept.push_back(each);
    if (!together(kept, fixes, analysis, options))
      kept.pop_back();
  }
}

} // namespace smem
