// How many findings there are of each rule, in each file and in each kernel (`--statistics`).
#pragma once

#include "report/report.h"

#include <cstddef>
#include <string>
#include <vector>

namespace smem {

struct FindingCounts {
  std::string name; ///< of the rule, file or kernel; instantiations of a kernel count as one, without their arguments
  SourceLocation location; ///< of a kernel
  std::size_t errors = 0, warnings = 0, notes = 0;

  std::size_t all() const { return errors + warnings + notes; }
};

/// Of the findings that are shown; each list by number, then by name. A finding counts once, for the kernel that it is shown for.
struct Statistics {
  std::vector<FindingCounts> rules, files, kernels;
};
Statistics statistics(const Report &report);

/// Tables; empty if there are no findings.
std::string statistics_text(const Report &report, bool color);

} // namespace smem
