#include "report/html_cases.h"

#include "report/claim.h"

#include <algorithm>
#include <bit>

namespace smem {
namespace {

/// By the lanes, which a request shows.
bool has_lanes(const PatternCase &one, LaneMask active) {
  return std::all_of(one.when.begin(), one.when.end(), [&](const PatternCondition &condition) {
    if (condition.kind == PatternCondition::Kind::Lanes)
      return active == condition.lanes;
    if (condition.kind == PatternCondition::Kind::FewerLanes)
      return active != condition.lanes && (active & ~condition.lanes) == 0;
    return true;
  });
}

std::optional<std::size_t> shared_request(const HtmlSite &site, const PatternCase &one,
                                          const Architecture &architecture) {
  Access access = site.row->site->access;
  access.space = Space::Shared;
  const bool copy = access.operation == Operation::AsyncCopy; // reading the source costs wavefronts, too
  for (std::size_t i = 0; i < site.requests.size(); ++i) {
    const Request &request = site.requests[i].second;
    if (!has_lanes(one, request.active))
      continue;
    if (i == 0 && site.row->shared_example->cost.wavefronts == one.wavefronts)
      return i;
    if (!copy && has_lane_addresses(access) && unsupported_reason(access, architecture).empty() &&
        evaluate(request, access, architecture).wavefronts == one.wavefronts)
      return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> global_request(const HtmlSite &site, const PatternCase &one) {
  for (std::size_t i = 0; i < site.global_requests.size(); ++i) {
    const Example &example = site.global_requests[i].second;
    if (has_lanes(one, example.request.active) && example.cost.sectors == one.sectors)
      return i;
  }
  return std::nullopt;
}

} // namespace

std::vector<HtmlCase> html_cases(const HtmlSite &site, const Launch &launch, const Architecture &architecture) {
  std::vector<HtmlCase> cases;
  if (!site.row || !site.row->pattern || !site.row->pattern->reached)
    return cases;
  for (const PatternCase &one : site.row->pattern->cases) {
    HtmlCase own{one, may_have(launch, one), {}, {}};
    if (own.own && !one.at_most) {
      if (site.row->moves_shared)
        own.shared = shared_request(site, one, architecture);
      if (site.row->moves_global)
        own.global = global_request(site, one);
    }
    cases.push_back(std::move(own));
  }
  return cases;
}

} // namespace smem
