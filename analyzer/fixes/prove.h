// Whether an edit of the source does what it is to do: the whole analysis, run on the edited text.
#pragma once

#include "analysis/analysis.h"
#include "fixes/edits.h"
#include "fixes/layout.h"

#include <map>
#include <string>
#include <vector>

namespace smem {

/// The layout that an edit is to give an array of one program.
struct Intent {
  std::size_t program = 0; ///< index into FileAnalysis::programs
  std::uint32_t array = 0; ///< index into Program::shared_arrays
  Layout layout;
  Extents extents;
};

struct Proof {
  bool holds = false;
  std::string why_not; ///< what is wrong with the edit
  bool rests_on_merging =
      false;            ///< nvcc may make other accesses of the edited kernel than the model, and did not before
  bool useless = false; ///< the edited source was analysed, and it is not better
  std::uint64_t excess_left = 0;    ///< of the edited arrays, over all launches
  Counts counts;                    ///< of the edited arrays, likewise
  Verdict verdict = Verdict::Exact; ///< the weakest of their accesses'
  FileAnalysis after;
};

/// `options` are those that `before` came from. The edit holds if the edited text compiles, the arrays have no excess in
/// any launch, no other access got dearer, nothing became unknown, a problem or a race, and in the first block of every launch each thread
/// touches the same elements as before, at the places that the layout gives them.
Proof prove(const FileAnalysis &before, const AnalysisOptions &options, const std::vector<Intent> &intents,
            const std::vector<Edit> &edits, const FileTexts &texts);

} // namespace smem
