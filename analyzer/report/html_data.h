// What the HTML report shows of each site, and of each kernel and launch the sums.
#pragma once

#include "report/report.h"
#include "report/site_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smem {

/// Which ranking an entry is in.
enum class HtmlKind : std::uint8_t { Shared, Global, Other };

/// A case of a site's pattern.
struct HtmlCase {
  PatternCase figures;
  bool own = false; ///< the launch that was analysed may have it, with the values that it was analysed with
  std::optional<std::size_t> shared, global; ///< requests of the site that cost as much: indices
};

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
  /// To global memory: the costliest; at most one.
  std::vector<std::pair<std::string, Example>> global_requests;
  std::vector<HtmlCase> cases; ///< of the pattern; empty where it has none

  SourceLocation location() const { return row ? row->site->location : findings.front()->location; }
  bool unknown() const { return row && row->verdict == Verdict::Unknown; }
  HtmlKind kind() const {
    return !row ? HtmlKind::Other : unit == Unit::Wavefronts ? HtmlKind::Shared : HtmlKind::Global;
  }
};

/// Sites of all launches and findings without one. Errors first, then those with the largest excess, then other findings, what is unknown,
/// and the rest.
std::vector<HtmlSite> html_sites(const Report &report);

/// What one access of the source has in all kernels, instantiations and launches: indices of the sites, the worst first.
struct HtmlEntry {
  HtmlKind kind = HtmlKind::Other;
  std::vector<std::size_t> sites;
};

/// Each site in one entry; in the order of their first sites.
std::vector<HtmlEntry> html_entries(const std::vector<HtmlSite> &sites);

} // namespace smem
