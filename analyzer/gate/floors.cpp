#include "gate/floors.h"

#include "report/format.h"
#include "report/identity.h"
#include "report/launch_floor.h"
#include "report/launch_table.h"

#include <algorithm>
#include <optional>
#include <set>

namespace smem {
namespace {

struct KnownFloor {
  FloorKey key;
  LaunchFloor floor;
};

std::optional<KnownFloor> known_floor(const FileAnalysis &file, const LaunchAnalysis &launch, const Gpu *asked,
                                      RepositoryPaths &paths) {
  std::optional<LaunchFloor> floor = launch_floor(file, launch, asked);
  if (!floor || floor->assumed_launch || floor->floor.at_least || !floor->bound().value_or(false) ||
      !launch.launch.consistent || !launch.launch.reached)
    return std::nullopt;
  const Program &program = file.programs[launch.program];
  std::string sizes = arguments_text(program, launch.launch);
  if (sizes.empty())
    sizes = "threads=" + std::to_string(launch.launch.grid.count() * launch.launch.block.count());
  return KnownFloor{
      {paths.show(program.location.file), normalise_kernel(program.kernel), std::move(sizes), floor->gpu->name},
      *floor};
}

Finding raised(const FloorKey &key, std::uint64_t before, const LaunchFloor &now) {
  Finding finding;
  finding.rule = find_rule(rule::floor_raised);
  finding.severity = finding.rule->severity;
  finding.message = "the floor under the time of " + short_kernel(key.kernel, 60) + " is " + floor_text(now) +
                    ", and was " + duration_text(before) + " (" + ratio(now.floor.ns, before) + ")";
  finding.cost = "launched with " + key.sizes;
  finding.subject = key.kernel;
  finding.verdict = now.floor.assumed ? Verdict::Assumed : Verdict::Exact;
  finding.occurrences = {{key.kernel, {}, 0, {}}};
  finding.baseline = BaselineState::Worse;
  return finding;
}

} // namespace

Floors floors_of(std::span<const FileAnalysis> files, const Gpu *asked, RepositoryPaths &paths) {
  Floors floors;
  for (const FileAnalysis &file : files)
    for (const LaunchAnalysis &launch : file.launches)
      if (const auto known = known_floor(file, launch, asked, paths)) {
        std::uint64_t &longest = floors[known->key];
        longest = std::max(longest, known->floor.floor.ns);
      }
  return floors;
}

bool is_raised(std::uint64_t before, std::uint64_t now) {
  return static_cast<double>(now) >= kRaisedFloor * static_cast<double>(before);
}

std::vector<Finding> raised_floors(const Floors &before, std::span<const FileAnalysis> files, const Gpu *asked,
                                   RepositoryPaths &paths) {
  std::map<std::pair<std::string, std::string>, std::pair<double, Finding>> worst; // by path and kernel
  for (std::size_t i = 0; !before.empty() && i < files.size(); ++i)
    for (std::size_t k = 0; k < files[i].launches.size(); ++k) {
      const LaunchAnalysis &launch = files[i].launches[k];
      const auto known = known_floor(files[i], launch, asked, paths);
      const auto then = known ? before.find(known->key) : before.end();
      if (then == before.end() || !is_raised(then->second, known->floor.floor.ns))
        continue;
      const double raise = static_cast<double>(known->floor.floor.ns) / static_cast<double>(then->second);
      auto &[most, finding] = worst[{known->key.path, known->key.kernel}];
      if (raise <= most)
        continue;
      most = raise;
      finding = raised(known->key, then->second, known->floor);
      finding.location = files[i].programs[launch.program].location;
      finding.file = i;
      finding.launch = k;
      finding.program = launch.program;
      finding.instances = {{i, k, launch.program, std::nullopt, finding.severity, finding.verdict, finding.cost,
                            std::nullopt, finding.reach}};
    }
  std::vector<Finding> findings;
  for (auto &[kernel, one] : worst)
    findings.push_back(std::move(one.second));
  return findings;
}

void drop_explained_floors(std::vector<Finding> &findings) {
  std::set<std::pair<std::size_t, std::string>> explained; // by file and kernel
  for (const Finding &finding : findings)
    if ((finding.baseline == BaselineState::New || finding.baseline == BaselineState::Worse) && !finding.suppression &&
        finding.site && finding.severity != Diagnostic::Severity::Note)
      for (const Occurrence &occurrence : finding.occurrences)
        explained.emplace(finding.file, occurrence.kernel);
  std::erase_if(findings, [&](const Finding &finding) {
    return finding.rule->id == rule::floor_raised && explained.contains({finding.file, finding.subject});
  });
}

} // namespace smem
