// Findings about what the simulation of a launch met: accesses outside of an array, limits that are exceeded, work that is too much.
#pragma once

#include <optional>
#include <span>

#include "analysis/analysis.h"
#include "report/finding.h"
#include "report/identity.h"
#include "report/site_rows.h"

namespace smem {

/// nullopt: nothing is said of it, as it may be the fault of what was assumed of the launch. `rows`: of that launch, with `names`.
std::optional<Finding> problem_finding(const FileAnalysis &file, std::size_t file_index, std::size_t launch,
                                       const Problem &problem, std::span<const SiteRow> rows, const AccessNames &names);

} // namespace smem
