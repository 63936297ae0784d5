// Many blocks of threads in few words.
#pragma once

#include <span>
#include <string>

#include "smem/launch.h"

namespace smem {

/// `(32..1024 step 32,1,1)`, `(64|128|256,1,1)`, `(16,16,1), (32,8,1) and 12 more`.
std::string block_ranges(std::span<const Dim3> blocks);

} // namespace smem
