// The manual page, from the same texts as --help.
#pragma once

#include <string>

namespace smem {

std::string man_page(); ///< smem-lint(1), in man's macros

} // namespace smem
