// Launches as they were recorded.
#pragma once

#include <span>
#include <vector>

#include "plan/draft.h"
#include "plan/kernel_uses.h"
#include "plan/recorded_launches.h"

namespace smem {

/// Recorded launches, with their arguments; where these were not recorded, with those of launches in host code that may be the same.
std::vector<Draft> recorded_drafts(std::span<const RecordedLaunch> recorded, const std::vector<Draft> &host,
                                   const Program &program, const Uses &uses);

} // namespace smem
