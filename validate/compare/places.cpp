#include "places.h"

#include <algorithm>
#include <filesystem>

namespace smem::compare {
namespace {

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  for (const auto &part : std::filesystem::path(path).lexically_normal())
    if (part != "/" && part != ".")
      parts.push_back(part.string());
  return parts;
}

bool begins(const std::string &text, std::string_view prefix) { return text.compare(0, prefix.size(), prefix) == 0; }

} // namespace

bool is_toolkit_header(std::string_view path) {
  const std::vector<std::string> parts = components(path);
  if (path.empty() || path.front() == '<')
    return true;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    // /usr/local/cuda-13.0/include, /opt/cuda/include, …/nvidia/cuda_runtime/include
    if (begins(parts[i], "cuda") && parts[i + 1] == "include")
      return true;
    // …/targets/x86_64-linux/include, …/lib/clang/19/include
    if (i + 2 < parts.size() && (parts[i] == "targets" || parts[i] == "clang") && parts[i + 2] == "include")
      return true;
    // …/site-packages/nvidia/cu13/include, …/nvidia/hpc_sdk
    if (i + 2 < parts.size() && parts[i] == "nvidia" && parts[i + 2] == "include")
      return true;
    // …/share/smem-lint/headers, analyzer/headers
    if ((parts[i] == "smem-lint" || parts[i] == "analyzer") && parts[i + 1] == "headers")
      return true;
  }
  // A distribution's packages put the toolkit into /usr/include.
  return parts.size() == 3 && parts[0] == "usr" && parts[1] == "include" &&
         (begins(parts[2], "cuda") || begins(parts[2], "sm_") || begins(parts[2], "device_") || parts[2] == "mma.h");
}

Place user_place(const std::vector<Place> &chain) {
  for (const Place &place : chain)
    if (place.line != 0 && !is_toolkit_header(place.file))
      return place;
  return chain.empty() ? Place{} : chain.back();
}

std::size_t common_tail(std::string_view a, std::string_view b) {
  const std::vector<std::string> left = components(a), right = components(b);
  const auto end = std::mismatch(left.rbegin(), left.rend(), right.rbegin(), right.rend());
  return static_cast<std::size_t>(end.first - left.rbegin());
}

std::optional<std::string> same_file(const std::string &path, const std::vector<std::string> &candidates) {
  const std::string *best = nullptr;
  std::size_t longest = 0;
  for (const std::string &candidate : candidates)
    if (const std::size_t common = common_tail(path, candidate); common > longest)
      longest = common, best = &candidate;
  return best ? std::optional(*best) : std::nullopt;
}

} // namespace smem::compare
