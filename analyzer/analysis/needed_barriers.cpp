#include "analysis/needed_barriers.h"

#include <algorithm>
#include <vector>

namespace smem {
namespace {

bool has_barrier(const Program &program, const SourceLocation &place) {
  return std::ranges::any_of(program.blocks, [&](const BasicBlock &block) {
    return std::ranges::any_of(block.instructions, [&](const Instruction &instruction) {
      return instruction.opcode == Opcode::Barrier && instruction.index < program.places.size() &&
             program.places[instruction.index] == place;
    });
  });
}

} // namespace

void keep_needed_barriers(std::span<LaunchAnalysis> launches, std::span<const Program> programs,
                          std::span<const Program> sources) {
  std::vector<SourceLocation> needed;
  for (const LaunchAnalysis &launch : launches)
    for (const SourceLocation &barrier : launch.races ? launch.races->redundant : std::vector<SourceLocation>())
      if (std::ranges::any_of(launches, [&](const LaunchAnalysis &other) {
            if (other.races && std::ranges::find(other.races->redundant, barrier) != other.races->redundant.end())
              return false;
            const auto source = std::ranges::find(sources, programs[other.program].mangled, &Program::mangled);
            return source == sources.end() || has_barrier(*source, barrier);
          }))
        needed.push_back(barrier);
  for (LaunchAnalysis &launch : launches)
    if (launch.races)
      std::erase_if(launch.races->redundant,
                    [&](const SourceLocation &barrier) { return std::ranges::find(needed, barrier) != needed.end(); });
}

} // namespace smem
