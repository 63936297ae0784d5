// A suggested repair, and the edits that write it. Plain data: produced by fixes/, printed by the reports, applied by the driver.
//
// Whoever produces a Fix fills in everything but what is marked optional. A Fix is offered only if the analysis was run again on the
// edited source (or, where no edit can be written, on the changed layout) and `after` is the outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smem/simulate.h"

namespace smem {

/// A replacement of bytes in one file. The edits of one Fix do not overlap and are sorted by (file, offset).
struct Edit {
  std::string file;         ///< as SourceLocation::file of the finding names it
  std::uint64_t offset = 0; ///< bytes from the start of the file
  std::uint64_t length = 0; ///< bytes that are replaced; 0 inserts
  std::string replacement;  ///< with the line ends of the file

  bool operator==(const Edit &) const = default;
};

struct Fix {
  enum class Kind : std::uint8_t { Padding, Swizzle, TransposedStore, VectorWidth };
  Kind kind = Kind::Padding;
  std::string title; ///< imperative, one line, no full stop: "pad the rows of tile by 1 element: `float tile[32][33]`"
  std::vector<Edit> edits; ///< empty where the edit cannot be written safely
  std::string not_written; ///< why `edits` is empty; empty otherwise

  // The proof: sums over every access of the array, in all launches analysed, as the source is and as edited.
  Counts before, after;
  std::optional<Example> example_after; ///< the finding's costliest request as it would be then; optional
  Verdict verdict = Verdict::Exact;     ///< the weakest of those accesses' verdicts after the edit
  bool rests_on_merging = false;        ///< the gain: nvcc may merge the edited accesses otherwise than the model
  std::uint64_t shared_bytes_before = 0,
                shared_bytes_after = 0; ///< of a block, in the launch that the finding is about
  std::optional<unsigned> blocks_per_sm_before, blocks_per_sm_after; ///< as far as shared memory limits them
};

} // namespace smem
