// The manual page and the shell completion, from the same texts as --help.
#pragma once

#include <string>

namespace smem {

std::string man_page(); ///< smem-lint(1), in man's macros
std::string bash_completion();

} // namespace smem
