#include "analysis/launch_races.h"

#include <algorithm>

namespace smem {
std::vector<Races> find_launch_races(std::span<const LaunchAnalysis> launches, std::span<const Program> programs,
                                     std::span<const Program> sources, const AnalysisOptions &options) {
  std::vector<Races> races(launches.size());
  RaceOptions search;
  search.max_steps = std::min(search.max_steps, options.simulation.max_steps);
  search.stop = options.frontend.stop;
  options.parallel_for(launches.size(), [&](std::size_t i) {
    const std::string &kernel = programs[launches[i].program].mangled;
    const auto source =
        std::find_if(sources.begin(), sources.end(), [&](const Program &each) { return each.mangled == kernel; });
    if (source == sources.end() || !verify(*source).empty())
      races[i] = Races::unknown("the kernel cannot be followed before it is optimised");
    else if (!launches[i].launch.consistent)
      races[i] = Races::unknown("no launch was found under which the kernel stays inside its arrays");
    else
      races[i] = find_races(*source, launches[i].launch, *options.frontend.architecture, search);
  });
  return races;
}

} // namespace smem
