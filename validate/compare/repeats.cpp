#include "repeats.h"

#include <algorithm>

namespace smem::compare {
namespace {

using LaunchKey = std::pair<std::string, Configuration>;

std::map<LaunchKey, std::vector<const MeasuredLaunch *>> in_order(const Measurement &measurement) {
  std::map<LaunchKey, std::vector<const MeasuredLaunch *>> launches;
  for (const MeasuredLaunch &launch : measurement.launches)
    launches[{launch.mangled, launch.configuration}].push_back(&launch);
  return launches;
}

} // namespace

Repeats::Repeats(const Measurement &first, const std::vector<const Measurement *> &again) {
  const auto launches = in_order(first);
  for (const Measurement *repeat : again)
    for (const auto &[key, others] : in_order(*repeat)) {
      const auto found = launches.find(key);
      if (found == launches.end())
        continue;
      for (std::size_t i = 0; i < std::min(others.size(), found->second.size()); ++i) {
        const MeasuredLaunch &launch = *found->second[i];
        std::map<std::pair<std::string, std::uint64_t>, const Figures *> figures;
        for (const Instruction &instruction : others[i]->instructions)
          figures[{instruction.function, instruction.pc}] = &instruction.figures;
        for (const Instruction &instruction : launch.instructions) {
          const auto other = figures.find({instruction.function, instruction.pc});
          if (other != figures.end() && !other->second->agrees_with(instruction.figures))
            varying_.insert({&launch, {instruction.function, instruction.pc}});
        }
      }
    }
}

bool Repeats::vary(const std::vector<const MeasuredLaunch *> &launches,
                   const std::vector<const Instruction *> &instructions) const {
  return std::any_of(launches.begin(), launches.end(), [&](const MeasuredLaunch *launch) {
    return std::any_of(instructions.begin(), instructions.end(),
                       [&](const Instruction *i) { return varying_.contains({launch, {i->function, i->pc}}); });
  });
}

} // namespace smem::compare
