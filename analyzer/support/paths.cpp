#include "support/paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace smem {

namespace fs = std::filesystem;

namespace {

/// Absolute, and without empty, `.` or `..` components.
bool is_normal(std::string_view path) {
  if (path.empty() || path.front() != '/')
    return false;
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view component = path.substr(begin, end - begin);
    if (component.empty() || component == "." || component == "..")
      return false;
    begin = end + 1;
  }
  return true;
}

} // namespace

std::string normalise_path(std::string_view path, std::string_view directory) {
  if (is_normal(path)) // nearly all are, and std::filesystem takes its time
    return std::string(path);
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

std::string seen_from_here(const std::string &path) {
  std::string folder = normalise_path(".");
  while (folder.ends_with('/'))
    folder.pop_back();
  return lies_in(path, folder) ? path.substr(folder.size() + 1) : path;
}

bool lies_in(std::string_view path, std::string_view folder) {
  return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool looks_like_toolkit(std::string_view path) {
  constexpr std::string_view kParts[] = {"/include/smem-lint-headers/",
                                         "/smem-lint/headers/",
                                         "/analyzer/headers/",
                                         "/lib/clang/",
                                         "/usr/include/",
                                         "/usr/lib/",
                                         "/cuda/include/",
                                         "/usr/local/cuda-",
                                         "/targets/x86_64-linux/include/",
                                         "/targets/sbsa-linux/include/"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

} // namespace smem
