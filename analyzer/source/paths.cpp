#include "source/paths.h"

#include <filesystem>
#include <system_error>

namespace smem {

namespace fs = std::filesystem;

std::string normalise_path(std::string_view path, std::string_view directory) {
  if (path.empty() || path == "-" || path.front() == '<')
    return std::string(path);
  fs::path result(path);
  if (result.is_relative()) {
    fs::path base(directory);
    if (base.is_relative()) {
      std::error_code error;
      base = fs::current_path(error) / base;
      // Without a working directory the relative spelling is the best there is; both sides then agree on it.
      if (error)
        base = fs::path(directory);
    }
    result = base / result;
  }
  return result.lexically_normal().string();
}

} // namespace smem
