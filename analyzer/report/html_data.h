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

/// One row of one launch.
struct HtmlSite {
  std::size_t file = 0, launch = 0;
  SiteRow row;                        ///< refers to the report's files
  const Finding *finding = nullptr;   ///< about it, where there is one
  std::uint64_t excess = 0;           ///< wavefronts or sectors
  /// To shared memory, the costliest first, then as the warp of that one made them: which one of all, and the request.
  std::vector<std::pair<std::string, Request>> requests;
};

/// Sites of all launches, those with the largest excess first.
std::vector<HtmlSite> html_sites(const Report &report);

} // namespace smem
