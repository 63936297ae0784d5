// --build-prefix: what all users of an installed smem-lint begin with.
#pragma once

#include "driver/options.h"

namespace smem {

/// Precompiles the headers that come before every source, with the toolkit, the architecture and the flags of these options, into the folder that comes with the program (installed_prefixes()). The exit code.
int install_prefix(const DriverOptions &options);

} // namespace smem
