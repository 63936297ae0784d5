// Which launches of a kernel are analysed: what host code, the user and the kernel itself say, and for the rest something
// plausible that is named as an assumption.
#pragma once

#include "host/launches.h"
#include "plan/launch_wish.h"
#include "plan/recorded_launches.h"
#include "smem/architecture.h"
#include "smem/program.h"

#include <span>
#include <vector>

namespace smem {

struct PlannedLaunch {
  /// The most plausible first. More than one only where the block's shape had to be assumed.
  std::vector<Launch> candidates;
  /// Pointers and __device__ arrays that the kernel uses and whose alignment is not known for certain: what has to hold to take them
  /// for aligned as allocations are.
  std::vector<Assumption> pointer_assumptions;
  /// Why what was stated (by option, or of all launches) is no launch of this kernel on this architecture; empty: it may be one.
  std::string impossible;
  std::vector<Diagnostic> contradictions; ///< between what is stated and host code
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
  std::uint64_t opted_in_bytes = 0; ///< as Launch::opted_in_bytes
};

std::vector<PlannedLaunch> plan_launches(const Program &program, const LaunchSources &sources,
                                         const Architecture &architecture);

} // namespace smem
