// What every producer of Programs is told.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace smem {

struct LowerOptions {
  /// Asked for paths that looks_like_toolkit() does not decide; the front end knows its system headers.
  std::function<bool(std::string_view)> is_toolkit_file;
  bool whole_program = true; ///< no function of another file is called through a pointer: no relocatable device code
  std::stop_token stop;      ///< asked for an end, kernels are missing in what is returned
};

/// Whether a file is not the user's own: accesses in it are reported at the call that leads there.
bool is_toolkit_file(const LowerOptions &options, std::string_view path);

} // namespace smem
