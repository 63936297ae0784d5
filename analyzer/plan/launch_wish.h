// What is stated about launches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "smem/launch.h"

namespace smem {

/// What the user said about launches (options, comments, configuration). Empty fields say nothing.
struct LaunchWish {
  std::string kernel; ///< glob over display names; empty: every kernel
  std::optional<Dim3> grid, block;
  bool grid_open = false; ///< "grid=?": nobody knows it, whatever weaker statements say
  std::optional<std::uint64_t> dynamic_shared_bytes;
  std::vector<std::pair<std::string, std::int64_t>> scalars; ///< by parameter name
  std::vector<std::pair<std::string, ArgumentFacts>>
      facts; ///< by parameter name: what is known without the value; no facts: nothing is known
  std::optional<BlockFacts> block_facts; ///< what is known of a block without its shape
  bool all = false; ///< it is said of all launches of the kernel: another one in host code contradicts it
  Provenance provenance = Provenance::Option;
  SourceLocation location; ///< in a configuration
};

/// What it says of parameters, by name: facts, and of a value the fact that it is this one.
std::vector<std::pair<std::string, ArgumentFacts>> said_of_parameters(const LaunchWish &wish);

} // namespace smem
