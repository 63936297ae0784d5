#include "program/lower_options.h"

#include "support/paths.h"

namespace smem {

bool is_toolkit_file(const LowerOptions &options, std::string_view path) {
  return looks_like_toolkit(path) || (options.is_toolkit_file && options.is_toolkit_file(path));
}

} // namespace smem
