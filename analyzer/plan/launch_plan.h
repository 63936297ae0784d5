// Which launches of a kernel are analysed: what host code, the user and the kernel itself say, and for the rest something
// plausible that is named as an assumption.
#pragma once

#include "analysis.h"
#include "launches/launches.h"
#include "plan/recorded_launches.h"

#include <span>
#include <vector>

namespace smem {

struct PlannedLaunch {
  /// The most plausible first. More than one only where the block's shape had to be assumed.
  std::vector<Launch> candidates;
  /// Pointers that the kernel uses and whose alignment is not known for certain, one text each: what has to hold to take them
  /// for aligned as allocations are.
  std::vector<Assumption> pointer_assumptions;
};

/// A wish that holds for the kernel at hand, and where it was written.
struct PlacedWish {
  const LaunchWish *wish = nullptr;
  SourceLocation location; ///< of a comment
};

/// What is known of the launches of one kernel.
struct LaunchSources {
  std::span<const HostLaunch> host; ///< those of other kernels are ignored
  std::span<const RecordedLaunch> recorded;
  std::span<const PlacedWish> wishes;
};

std::vector<PlannedLaunch> plan_launches(const Program &program, const LaunchSources &sources, const Architecture &architecture);

} // namespace smem
