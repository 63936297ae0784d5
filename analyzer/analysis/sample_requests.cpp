#include "analysis/sample_requests.h"

#include "smem/trace.h"

#include <algorithm>
#include <map>
#include <set>

namespace smem {
namespace {

constexpr std::uint64_t kSteps = 100'000;
constexpr std::size_t kMostOfLaunch = 512, kLeastOfSite = 8;

bool has_conflicts(const LaunchAnalysis &launch) {
  return std::ranges::any_of(launch.result.sites, [](const SiteResult &site) {
    return site.shared_example && site.counts.wavefronts > site.counts.ideal_wavefronts;
  });
}

} // namespace

void sample_requests(FileAnalysis &analysis) {
  for (LaunchAnalysis &launch : analysis.launches) {
    const Program &program = analysis.programs[launch.program];
    if (!has_conflicts(launch) || program.blocks.empty() || !analysis.architecture)
      continue;
    SimulationOptions options;
    options.max_steps = kSteps;
    const Trace trace = trace_first_block(program, launch.launch, *analysis.architecture, options);
    std::set<SiteId> sites;
    for (const TracedRequest &each : trace.requests)
      sites.insert(program.memory_operations[each.operation].site);
    if (sites.empty())
      continue;
    const std::size_t most = std::max(kLeastOfSite, kMostOfLaunch / sites.size());
    std::map<SiteId, std::size_t> taken;
    for (const TracedRequest &each : trace.requests)
      if (const SiteId site = program.memory_operations[each.operation].site; taken[site]++ < most)
        launch.samples.push_back({site, each.request});
  }
}

} // namespace smem
