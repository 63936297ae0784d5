// Which launches have the same results.
#pragma once

#include "smem/launch.h"

namespace smem {

/// The launch without what no result depends on: who makes it, and where in their allocations pointers lead, as far as neither costs nor what
/// they share depends on it. Kernels know of a pointer what its alignment says; costs repeat every 128 bytes.
Launch without_origin(Launch launch);

/// The same launch, whoever makes it and wherever.
bool alike(const Launch &a, const Launch &b);

} // namespace smem
