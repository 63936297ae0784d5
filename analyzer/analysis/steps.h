// Steps of an analysis that are the same wherever a file's Programs come from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/analysis.h"

namespace smem {

/// Counts are no better established than the rules of the architecture that they were counted by; where nothing is accessed, nothing rests on them.
void assume_rules(SimulationResult &result, const Architecture &architecture);

/// Nothing is better established than FileAnalysis::assumed_headers: rows and what is said of races rest on it.
void assume_headers(FileAnalysis &analysis);

/// What requests cost in all launches. Instantiations that differ in names only have the same patterns.
void find_patterns_of(FileAnalysis &analysis, const AnalysisOptions &options);

/// How many launches of a kernel there are, and how many of them were not analysed before the end was asked for.
struct Late {
  std::size_t launches = 0, late = 0;
};

/// One message for each kernel, or template of several, of which launches are late. `launches`: by program.
void note_late(FileAnalysis &analysis, const std::vector<Late> &launches, const std::string &why);

/// After the last step: if FrontendOptions::stop ended any, the analysis is `stopped`, and a diagnostic says so; one is
/// added where none does.
void note_end(FileAnalysis &analysis, const AnalysisOptions &options);

} // namespace smem
