// Sites as a reader counts them: one row per memory instruction of the source.
//
// Unrolling gives one source instruction many machine instructions. Those of one place, of one inlining and of the same
// kind are one row whose counts are their sum.
#pragma once

#include "analysis/analysis.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smem {

struct SiteRow {
  const Site *site = nullptr; ///< the first of them
  std::vector<SiteId> ids;
  Space space = Space::Shared;      ///< as resolved; AsyncCopy is Shared and has figures of both
  bool moves_shared = false;        ///< has figures of shared memory
  bool moves_global = false;        ///< has figures of global memory
  Verdict verdict = Verdict::Exact; ///< the weakest of them
  std::string reason;
  std::set<std::string> established;      ///< ids of what a verdict rests on and what measurements have shown to hold
  std::vector<std::string> uncertainties; ///< ids of what an assumed verdict rests on beside the launch, sorted
  SourceLocation reason_location;
  std::string note; ///< what the counters do not show of it
  Counts counts;    ///< a lower bound when the verdict is Unknown
  bool executed = false;
  std::optional<DataDependence> data;      ///< of the requests that depend on data
  std::optional<SymbolicCounts> symbolic;  ///< where the launch leaves something open: the sum
  std::optional<Pattern> pattern;          ///< what a request costs in all launches; none: it was not looked at
  std::optional<SectorUse> sector_use;     ///< none: of some of them it is not known
  const Example *shared_example = nullptr; ///< the costliest
  const Example *global_example = nullptr;
  const Example *loop_example = nullptr; ///< of the first that has one

  std::uint64_t excess_wavefronts() const;
  std::uint64_t excess_sectors() const;
};

/// In the order of (file, line, column), then shared before global, then as in the program. `patterns`: by site, or null.
std::vector<SiteRow> site_rows(const Program &program, const SimulationResult &result,
                               const std::vector<Pattern> *patterns = nullptr);
/// Those of a program of the analysis; null if they were not looked at.
const std::vector<Pattern> *patterns_of(const FileAnalysis &file, std::size_t program);

/// The verdict that a combination deserves: the weaker of the two.
Verdict weaker(Verdict a, Verdict b);

/// `64-bit load`, `load`: what the instruction does, in words.
std::string describe_operation(const Access &access);

} // namespace smem
