// What the HTML report shows of each site.
#pragma once

#include "report/report.h"
#include "report/site_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// One row of one launch with what was found about it, or a finding about no memory instruction.
struct HtmlSite {
  std::size_t file = 0, launch = 0;      ///< launch may be Finding::kNoIndex where there is no row
  std::optional<SiteRow> row;            ///< refers to the report's files
  std::vector<const Finding *> findings; ///< about it, the most severe first
  /// Beyond the ideal; of an async copy, which has both, the unit of which there is more.
  std::uint64_t excess = 0;
  Unit unit = Unit::Wavefronts;
  /// To shared memory, the costliest first, then as the warp of that one made them: which one of all, and the request.
  std::vector<std::pair<std::string, Request>> requests;

  SourceLocation location() const { return row ? row->site->location : findings.front()->location; }
  bool unknown() const { return row && row->verdict == Verdict::Unknown; }
};

/// Sites of all launches and findings without one. Errors first, then those with the largest excess, then other findings, what is unknown,
/// and the rest.
std::vector<HtmlSite> html_sites(const Report &report);

} // namespace smem
