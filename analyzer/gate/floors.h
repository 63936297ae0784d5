// Floors under the times of launches between two versions of a source: a change may cost time where no access got worse, by more blocks, more
// requests, or blocks that share less.
#pragma once

#include "report/findings.h"
#include "support/repository.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace smem {

struct Gpu;

/// What recognises a launch in another version: not its grid and block, which are what a change may change.
struct FloorKey {
  std::string path;   ///< relative to the repository's root
  std::string kernel; ///< with template arguments
  std::string sizes;  ///< `n=4096`: the arguments; of a kernel without any, `threads=1048576`: those of the launch
  std::string gpu;
  auto operator<=>(const FloorKey &) const = default;
};
/// Nanoseconds. Of several launches that are alike the longest.
using Floors = std::map<FloorKey, std::uint64_t>;

/// Of launches that are known entirely and bound by a unit. `asked`: null is the usual GPU of an architecture.
Floors floors_of(std::span<const FileAnalysis> files, const Gpu *asked, RepositoryPaths &paths);

/// Higher by so much is a regression: less may be a choice between two equal ways.
inline constexpr double kRaisedFloor = 1.03;
bool is_raised(std::uint64_t before, std::uint64_t now);

/// A finding for each kernel of which a launch has a floor that is raised; its `baseline` is Worse. The launch that is raised most is shown.
std::vector<Finding> raised_floors(const Floors &before, std::span<const FileAnalysis> files, const Gpu *asked,
                                   RepositoryPaths &paths);

/// Drops those of kernels that have a finding of more than a note about an access that is new or worse, which says why. Findings have been compared.
void drop_explained_floors(std::vector<Finding> &findings);

} // namespace smem
