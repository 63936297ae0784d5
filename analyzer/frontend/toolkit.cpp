// Which CUDA toolkit's headers to use.
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "frontend/frontend.h"
#include "sinks/files.h"

namespace smem {

namespace fs = std::filesystem;

bool has_headers(const std::string &root) {
  std::error_code error;
  return fs::is_regular_file(fs::path(root) / "include" / "cuda_runtime.h", error);
}

namespace {

/// CUDA_VERSION is 1000 * major + 10 * minor in cuda.h; version.json is missing from distribution packages.
std::string read_version(const fs::path &root) {
  std::string wrong;
  std::istringstream in(sinks::read_file(root / "include" / "cuda.h", wrong).value_or(""));
  constexpr std::string_view key = "#define CUDA_VERSION ";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key))
      continue;
    const int number = std::atoi(line.c_str() + key.size());
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  }
  return {};
}

std::optional<Toolkit> toolkit_at(const fs::path &root) {
  if (root.empty() || !has_headers(root.string()))
    return std::nullopt;
  return Toolkit{false, root.lexically_normal().string(), read_version(root)};
}

std::optional<Toolkit> toolkit_of_nvcc_on_path() {
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path folder(rest.substr(0, colon));
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    std::error_code error;
    const fs::path nvcc = fs::canonical(folder / "nvcc", error);
    if (error)
      continue;
    if (auto found = toolkit_at(nvcc.parent_path().parent_path()))
      return found;
  }
  return std::nullopt;
}

} // namespace

Toolkit find_toolkit(const std::string &wish) {
  if (wish == "none")
    return {};
  // A wish that cannot be met is not replaced by another toolkit: run_frontend() reports it.
  if (!wish.empty())
    return toolkit_at(wish).value_or(Toolkit{false, wish, {}});
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char *value = std::getenv(variable);
    if (auto found = toolkit_at(value ? value : ""))
      return *found;
  }
  if (auto found = toolkit_of_nvcc_on_path())
    return *found;
  return toolkit_at("/usr/local/cuda").value_or(Toolkit{});
}

} // namespace smem
