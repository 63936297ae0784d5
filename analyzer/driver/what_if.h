// Variants of what is analysed, compared: `smem-lint --what-if 'TILE=16,32,64' k.cu`.
#pragma once

#include "driver/options.h"

namespace smem {

/// Exit code: 0, or 2 where the sources as they are, or all variants, cannot be analysed.
int what_if(const DriverOptions &options);

} // namespace smem
