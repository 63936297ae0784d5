// Repairs of bank conflicts, each proved before it is offered.
#pragma once

#include "analysis/analysis.h"
#include "fixes/edits.h"
#include "fixes/layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smem {

/// An array of one program that a suggestion is about.
struct FixedArray {
  std::size_t program = 0; ///< index into FileAnalysis::programs
  std::uint32_t array = 0; ///< index into Program::shared_arrays
  Layout layout;
  Extents extents; ///< as declared
  auto operator<=>(const FixedArray &) const = default;
};

/// One layout for all arrays that are accessed through the same code.
struct FixSuggestion {
  std::vector<FixedArray> arrays;
  std::string array;                ///< name of the array
  Layout layout;                    ///< of the array in the launch with the largest excess
  std::string action;               ///< `pad the rows: `float tile[32][33]``
  Counts before, after;             ///< over all launches of the file, of all accesses of these arrays
  Verdict verdict = Verdict::Exact; ///< the weakest of those accesses' after the edit
  bool rests_on_merging = false;    ///< the gain: nvcc may merge the edited accesses otherwise than the model
  std::uint64_t bytes_before = 0, bytes_after = 0;   ///< shared memory of a block, the largest over the launches
  std::uint32_t blocks_before = 0, blocks_after = 0; ///< an SM holds, as far as threads and shared memory limit them
  std::vector<Edit> edits;                           ///< empty: only the model was run on the layout
  std::string no_edit;                               ///< why
};

struct FixOptions {
  bool edits = true;    ///< write the edits, and analyse the edited text
  unsigned proofs = 10; ///< edited texts to analyse for an array before giving up
};

/// An access of an array that a suggestion is about.
struct FixedSite {
  std::size_t launch = 0; ///< index into FileAnalysis::launches
  SiteId site = 0;
  std::size_t suggestion = 0;   ///< index into FileFixes::suggestions
  std::optional<Example> after; ///< its costliest request, as it would be then
};

struct FileFixes {
  std::vector<FixSuggestion> suggestions;
  std::vector<FixedSite> sites; ///< those with conflicts
  /// The edits of all suggestions that hold together, sorted, disjoint.
  std::vector<Edit> combined;
  FileTexts texts;    ///< what the edits refer to
  FileAnalysis after; ///< of the text with the combined edits; parsed is false without any
};

/// `analysis` as analyze_file() gave it for `options`, its paths as they are.
FileFixes find_fixes(const FileAnalysis &analysis, const AnalysisOptions &options, const FixOptions &fix = {});

} // namespace smem
