#include "driver/triton_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

namespace fs = std::filesystem;
using Severity = Diagnostic::Severity;

constexpr int kDeepest = 3;
constexpr std::size_t kMostEntries = 1'000'000;

/// What lies in a folder under one name without its end.
struct Kernel {
  bool cubin = false, ptx = false, json = false, other_gpu = false;
  fs::file_time_type newest = fs::file_time_type::min();
};

} // namespace

std::string triton_cache_folder() {
  if (const char *folder = std::getenv("TRITON_CACHE_DIR"); folder && *folder)
    return folder;
  for (const char *variable : {"TRITON_HOME", "HOME"})
    if (const char *home = std::getenv(variable); home && *home)
      return std::string(home) + "/.triton/cache";
  return {};
}

TritonCache find_triton_kernels(const std::string &folder) {
  TritonCache cache;
  const auto say = [&](Severity severity, const std::string &where, const std::string &what) {
    cache.diagnostics.push_back({severity, {where, 0, 0}, what});
  };
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, error);
  if (error) {
    say(Severity::Error, folder, "cannot read this cache of Triton's: " + error.message());
    return cache;
  }
  std::map<std::string, Kernel> kernels; // by path without its end
  std::size_t seen = 0;
  for (; entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (error || ++seen > kMostEntries) {
      say(Severity::Error, folder, error ? "cannot read all of it: " + error.message() : "it has too many files");
      break;
    }
    if (entries.depth() >= kDeepest - 1)
      entries.disable_recursion_pending();
    std::error_code gone;
    if (!fs::is_regular_file(entries->symlink_status(gone)) || gone)
      continue;
    const fs::path &path = entries->path();
    const std::string end = path.extension().string();
    const bool cubin = end == ".cubin", ptx = end == ".ptx", json = end == ".json", other = end == ".hsaco";
    // A group's index and parts of the compiler's own are no kernels.
    if ((!cubin && !ptx && !json && !other) || path.filename().string().starts_with("__grp__"))
      continue;
    Kernel &kernel = kernels[(path.parent_path() / path.stem()).string()];
    kernel.cubin |= cubin;
    kernel.ptx |= ptx;
    kernel.json |= json;
    kernel.other_gpu |= other;
    if (cubin || ptx)
      kernel.newest = std::max(kernel.newest, fs::last_write_time(path, gone));
  }
  std::vector<std::tuple<fs::file_time_type, std::string, const Kernel *>> found;
  std::size_t other_gpu = 0;
  for (const auto &[stem, kernel] : kernels) {
    other_gpu += kernel.other_gpu;
    if (kernel.cubin || kernel.ptx)
      found.emplace_back(kernel.newest, stem + (kernel.cubin ? ".cubin" : ".ptx"), &kernel);
  }
  std::ranges::sort(found, [](const auto &a, const auto &b) {
    return std::get<0>(a) != std::get<0>(b) ? std::get<0>(a) > std::get<0>(b) : std::get<1>(a) < std::get<1>(b);
  });
  for (const auto &[time, file, kernel] : found) {
    if (!kernel->json)
      say(Severity::Error, file,
          "no metadata of Triton beside it (" + fs::path(file).stem().string() +
              ".json): how it is launched is not known");
    cache.files.push_back(file);
  }
  if (found.empty())
    say(Severity::Error, folder,
        other_gpu ? "this cache has kernels of AMD GPUs only"
                  : "no kernel of Triton's here: no folder in it has a .cubin or .ptx file");
  return cache;
}

} // namespace smem
