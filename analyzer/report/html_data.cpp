#include "report/html_data.h"

#include "report/html_cases.h"
#include "smem/trace.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace smem {
namespace {

constexpr std::uint64_t kTraceSteps = 1'000'000; // of one block: enough for a picture of its first iterations
constexpr std::size_t kMostRequests = 24'000;    // on the page
constexpr std::size_t kRequestsOfSite = 8;

/// Where each finding belongs: to the rows of its launches, or to an entry of its own.
void add_findings(std::span<const Finding> findings, std::vector<HtmlSite> &sites) {
  std::map<std::tuple<std::size_t, std::size_t, SiteId>, std::size_t> known;
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (const SiteId id : sites[i].row->ids)
      known.emplace(std::tuple(sites[i].file, sites[i].launch, id), i);
  for (const Finding &finding : findings) {
    std::set<std::size_t> of;
    const auto add = [&](std::size_t file, std::size_t launch, const std::optional<SiteId> &site) {
      if (const auto at = site ? known.find({file, launch, *site}) : known.end(); at != known.end())
        of.insert(at->second);
    };
    add(finding.file, finding.launch, finding.site);
    for (const Instance &instance : finding.instances)
      add(instance.file, instance.launch, instance.site);
    for (const std::size_t i : of)
      sites[i].findings.push_back(&finding);
    if (of.empty()) {
      HtmlSite own;
      own.file = finding.file;
      own.launch = finding.launch;
      own.findings = {&finding};
      sites.push_back(std::move(own));
    }
  }
  for (HtmlSite &site : sites)
    std::stable_sort(site.findings.begin(), site.findings.end(),
                     [](const Finding *a, const Finding *b) { return a->severity > b->severity; });
}

bool same(const Request &a, const Request &b) {
  if (a.active != b.active)
    return false;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((a.active >> lane & 1) && a.address[lane] != b.address[lane])
      return false;
  return true;
}

std::string place_of(const Example &example) {
  return "warp " + std::to_string(example.warp) + " of block " + to_string(example.block_index);
}

/// Adds to the costliest request those that its warp makes in the first block, in their order.
void add_requests(HtmlSite &site, const Trace &trace, const Program &program, std::size_t most) {
  if (site.row->moves_global && site.row->global_example)
    site.global_requests.emplace_back("the costliest: " + place_of(*site.row->global_example),
                                      *site.row->global_example);
  if (!site.row->moves_shared || !site.row->shared_example)
    return;
  const Example &worst = *site.row->shared_example;
  site.requests.emplace_back("the costliest: " + place_of(worst), worst.request);
  std::size_t number = 0;
  for (const TracedRequest &traced : trace.requests) {
    const SiteId id = program.memory_operations[traced.operation].site;
    if (traced.warp != worst.warp || std::find(site.row->ids.begin(), site.row->ids.end(), id) == site.row->ids.end())
      continue;
    ++number;
    if (site.requests.size() >= most || same(traced.request, worst.request))
      continue;
    site.requests.emplace_back("request " + std::to_string(number) + " of warp " + std::to_string(traced.warp) +
                                   " in block (0,0,0)",
                               traced.request);
  }
}

} // namespace

std::vector<HtmlSite> html_sites(const Report &report) {
  std::vector<HtmlSite> sites;
  for (std::size_t f = 0; f < report.files.size(); ++f)
    for (std::size_t l = 0; l < report.files[f].launches.size(); ++l) {
      const LaunchAnalysis &launch = report.files[f].launches[l];
      for (SiteRow &row : site_rows(report.files[f].programs[launch.program], launch.result,
                                    patterns_of(report.files[f], launch.program))) {
        HtmlSite site;
        site.file = f;
        site.launch = l;
        site.unit = row.moves_shared && (!row.moves_global || row.excess_wavefronts() >= row.excess_sectors())
                        ? Unit::Wavefronts
                        : Unit::Sectors;
        site.excess = site.unit == Unit::Wavefronts ? row.excess_wavefronts() : row.excess_sectors();
        site.row = std::move(row);
        sites.push_back(std::move(site));
      }
    }
  add_findings(report.findings, sites);
  const std::size_t each =
      std::clamp<std::size_t>(kMostRequests / std::max<std::size_t>(1, sites.size() * 12), 1, kRequestsOfSite);
  SimulationOptions options;
  options.max_steps = kTraceSteps;
  std::pair<std::size_t, std::size_t> at{report.files.size(), 0};
  Trace trace;
  for (HtmlSite &site : sites) {
    if (!site.row)
      continue;
    const FileAnalysis &file = report.files[site.file];
    const LaunchAnalysis &launch = file.launches[site.launch];
    if (each > 1 && at != std::pair{site.file, site.launch}) {
      at = {site.file, site.launch};
      const Program &program = file.programs[launch.program]; // of an archive there is nothing to execute
      trace = program.blocks.empty() ? Trace() : trace_first_block(program, launch.launch, *file.architecture, options);
    }
    add_requests(site, trace, file.programs[launch.program], each);
    site.cases = html_cases(site, launch.launch, *file.architecture);
  }
  const auto rank = [](const HtmlSite &site) {
    const bool error = !site.findings.empty() && site.findings.front()->severity == Diagnostic::Severity::Error;
    return std::tuple(error, site.excess, !site.findings.empty(), site.unknown());
  };
  std::stable_sort(sites.begin(), sites.end(), [&](const HtmlSite &a, const HtmlSite &b) { return rank(a) > rank(b); });
  return sites;
}

std::vector<HtmlEntry> html_entries(const std::vector<HtmlSite> &sites) {
  using Key = std::tuple<HtmlKind, SourceLocation, std::string, std::string>;
  std::map<Key, std::size_t> known;
  std::vector<HtmlEntry> entries;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const HtmlSite &site = sites[i];
    Key key{site.kind(), site.location(), "", ""};
    if (site.row) {
      std::get<2>(key) = to_string(site.row->site->access.operation);
      std::get<3>(key) = site.row->site->expression;
    } else {
      std::get<2>(key) = site.findings.front()->rule->id;
      std::get<3>(key) = site.findings.front()->message;
    }
    const auto [entry, fresh] = known.try_emplace(std::move(key), entries.size());
    if (fresh)
      entries.push_back({site.kind(), {}});
    entries[entry->second].sites.push_back(i);
  }
  return entries;
}

} // namespace smem
