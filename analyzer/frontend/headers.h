// Where the project's own device headers lie at run time.
#pragma once

#include <string>

namespace smem {

/// `<prefix>/share/smem-lint/headers` beside an installed executable, else the source tree that this was built from.
/// Empty when neither exists.
std::string find_shipped_headers();

} // namespace smem
