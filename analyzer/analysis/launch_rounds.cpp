#include "analysis/launch_rounds.h"

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/alike_launches.h"

namespace smem {

Repeated::Repeated(std::span<const LaunchAnalysis> launches, const std::vector<const Program *> &sources) {
  std::vector<std::size_t> kinds;
  std::vector<Launch> plain;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    plain.push_back(without_origin(launches[i].launch));
    const auto same = std::ranges::find_if(kinds, [&](std::size_t other) {
      return sources[other] == sources[i] && (sources[i] || launches[other].program == launches[i].program) &&
             launches[other].launch.consistent == launches[i].launch.consistent && plain[other] == plain[i];
    });
    first_.push_back(same == kinds.end() ? i : *same);
    if (same == kinds.end())
      kinds.push_back(i);
  }
}

std::vector<std::vector<std::size_t>> rounds_of(std::span<const LaunchAnalysis> launches,
                                                std::span<const Program> programs, const Repeated &repeated) {
  std::map<SourceLocation, std::size_t> before;
  std::vector<std::vector<std::size_t>> rounds;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (repeated.first(i) != i)
      continue;
    const auto round = static_cast<std::size_t>(std::bit_width(++before[programs[launches[i].program].location]) - 1);
    rounds.resize(std::max(rounds.size(), round + 1));
    rounds[round].push_back(i);
  }
  return rounds;
}

} // namespace smem
