#include "report/html_data.h"

#include "smem/trace.h"

#include <algorithm>
#include <tuple>

namespace smem {
namespace {

constexpr std::uint64_t kTraceSteps = 1'000'000;   // of one block: enough for a picture of its first iterations
constexpr std::size_t kMostRequests = 24'000;      // on the page
constexpr std::size_t kRequestsOfSite = 8;

const Finding *finding_of(const Report &report, const HtmlSite &site) {
  for (const Finding &finding : report.findings)
    if (finding.file == site.file && finding.site && finding.location == site.row.site->location &&
        (finding.launch == site.launch ? std::find(site.row.ids.begin(), site.row.ids.end(), *finding.site) != site.row.ids.end() : finding.launches > 1))
      return &finding;
  return nullptr;
}

bool same(const Request &a, const Request &b) {
  if (a.active != b.active)
    return false;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((a.active >> lane & 1) && a.address[lane] != b.address[lane])
      return false;
  return true;
}

/// Adds to the costliest request those that its warp makes in the first block, in their order.
void add_requests(HtmlSite &site, const Trace &trace, const Program &program, std::size_t most) {
  if (!site.row.shared_example)
    return;
  const Example &worst = *site.row.shared_example;
  site.requests.push_back({"the costliest: warp " + std::to_string(worst.warp) + " of block " + to_string(worst.block_index), worst.request});
  std::size_t number = 0;
  for (const TracedRequest &traced : trace.requests) {
    const SiteId id = program.memory_operations[traced.operation].site;
    if (traced.warp != worst.warp || std::find(site.row.ids.begin(), site.row.ids.end(), id) == site.row.ids.end())
      continue;
    ++number;
    if (site.requests.size() >= most || same(traced.request, worst.request))
      continue;
    site.requests.push_back({"request " + std::to_string(number) + " of warp " + std::to_string(traced.warp) + " in block (0,0,0)", traced.request});
  }
}

} // namespace

std::vector<HtmlSite> html_sites(const Report &report) {
  std::vector<HtmlSite> sites;
  for (std::size_t f = 0; f < report.files.size(); ++f)
    for (std::size_t l = 0; l < report.files[f].launches.size(); ++l) {
      const LaunchAnalysis &launch = report.files[f].launches[l];
      for (SiteRow &row : site_rows(report.files[f].programs[launch.program], launch.result)) {
        HtmlSite site{f, l, std::move(row), nullptr, 0, {}};
        site.excess = site.row.moves_shared ? site.row.excess_wavefronts() : site.row.excess_sectors();
        site.finding = finding_of(report, site);
        sites.push_back(std::move(site));
      }
    }
  const std::size_t each = std::clamp<std::size_t>(kMostRequests / std::max<std::size_t>(1, sites.size() * 12), 1, kRequestsOfSite);
  SimulationOptions options;
  options.max_steps = kTraceSteps;
  std::pair<std::size_t, std::size_t> at{report.files.size(), 0};
  Trace trace;
  for (HtmlSite &site : sites) {
    const FileAnalysis &file = report.files[site.file];
    const LaunchAnalysis &launch = file.launches[site.launch];
    if (each > 1 && at != std::pair{site.file, site.launch}) {
      at = {site.file, site.launch};
      trace = trace_first_block(file.programs[launch.program], launch.launch, *file.architecture, options);
    }
    if (site.row.moves_shared)
      add_requests(site, trace, file.programs[launch.program], each);
  }
  std::stable_sort(sites.begin(), sites.end(), [](const HtmlSite &a, const HtmlSite &b) { return a.excess > b.excess; });
  return sites;
}

} // namespace smem
