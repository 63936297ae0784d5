// Running a launch: classes of blocks that behave alike, one execution for each.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "machine.h"
#include "scope.h"
#include "warp.h"

namespace smem {

/// Limits that no launch can exceed. A launch for which one of them is fatal() is not simulated: it fails.
std::vector<Problem> check_launch(const Machine &machine);
bool fatal(const Problem &problem);

/// All blocks of a launch.
Box whole_grid(const Launch &launch);

/// The blocks of a launch that no execution stands for yet, in boxes. What was added last comes next.
class UncoveredBlocks {
public:
  explicit UncoveredBlocks(const Launch &launch) : boxes_{whole_grid(launch)} {}

  /// Takes a box out, whose first block is to be executed; nullopt: all blocks are covered.
  std::optional<Box> next();
  /// The execution wants the box divided: its parts are open again.
  void divide(const Box &box, const PeriodWish &wish);
  /// The execution stands for `region`: what is left of the box is open, as far as `wanted` says of it.
  void cover(const Box &box, const Box &region, const std::function<bool(const Box &)> &wanted = {});
  /// From here on each block is a box of its own, the first block next.
  void separate();
  const std::vector<Box> &boxes() const { return boxes_; }

private:
  std::vector<Box> boxes_;
};

/// Executes the given warps of the block at the corner of the scopes' box. Warps share memory and stop at barriers only if values
/// in shared memory matter.
Warp::Status execute_block(Machine &machine, Scopes &scopes, std::uint32_t first_warp, std::uint32_t last_warp);

/// The first warp has taken so many steps and has not ended. Whether the last one takes as many, and there are so many between the two
/// that the budget is too small for all.
bool no_warp_ends_within(Machine &machine, std::uint64_t steps);

/// Of warps that run_classes() executes together: each has all blocks to go through.
std::uint64_t groups_of_warps(const Machine &machine);

/// Calls `found` with every execution and the blocks for which it stands, until all are covered, the budget is spent or `found`
/// returns false. Along open axes of the grid only classes that begin at its first block are visited.
void run_classes(Machine &machine, const std::function<bool(Scopes &scopes, const Box &region)> &found);

} // namespace smem
