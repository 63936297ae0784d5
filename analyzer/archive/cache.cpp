#include "archive/cache.h"

#include "archive/archive.h"
#include "archive/fields.h"
#include "plan/recorded_launches.h"
#include "sass/obtain.h"
#include "support/paths.h"

#include <cstdlib>

namespace smem {
namespace {

/// Everything that decides an analysis besides the contents of files.
std::string key_of(const AnalysisOptions &options) {
  const FrontendOptions &frontend = options.frontend;
  ArchiveWriter key;
  std::string identity = tool_identity(), directory = normalise_path("."), file = frontend.file;
  std::string target = target_of(frontend), contents = frontend.contents.value_or("");
  bool has_contents = frontend.contents.has_value();
  Toolkit toolkit = frontend.toolkit;
  std::vector<std::string> flags = frontend.compiler_flags;
  std::vector<LaunchWish> wishes = options.wishes;
  std::vector<std::string> kernels = options.kernels;
  bool races = options.races, global_races = options.global_races;
  std::uint64_t max_steps = options.simulation.max_steps, max_instantiations = frontend.max_instantiations,
                max_device_code = frontend.max_device_code;
  ForeignCode foreign = frontend.foreign;
  bool for_others = frontend.for_others, search_project = frontend.search_project;
  key(foreign, for_others, search_project);
  key(identity, directory, file, has_contents, contents, target, toolkit, flags, kernels, wishes, races, global_races,
      max_steps, max_instantiations, max_device_code);
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) { // Clang's driver looks at these
    const char *value = std::getenv(name);
    std::string text = value ? value : "";
    key(text);
  }
  std::string recorded = options.recorded ? options.recorded->digest() : std::string();
  key(recorded);
  std::string machine_code = compiled::identity_of_tools(options.machine_code, options.tools);
  std::vector<std::string> nvcc_flags = options.nvcc_flags;
  key(machine_code, nvcc_flags);
  return std::string(key.bytes());
}

bool has_errors(const FileAnalysis &analysis) {
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return true;
  return !analysis.parsed;
}

} // namespace

std::optional<std::string> ResultCache::known(const AnalysisOptions &options) {
  std::optional<ContentCache::Kept> kept = entries_.known(key_of(options));
  return kept ? std::optional(std::move(kept->text)) : std::nullopt;
}

void ResultCache::keep(const AnalysisOptions &options, const FileAnalysis &analysis) {
  if (has_errors(analysis) || !analysis.dependencies.complete)
    return;
  const std::string virtual_file = options.frontend.contents ? normalise_path(options.frontend.file) : std::string();
  std::vector<std::string> read(analysis.dependencies.read.begin(), analysis.dependencies.read.end());
  std::erase(read, virtual_file);
  const std::vector<std::string> absent(analysis.dependencies.absent.begin(), analysis.dependencies.absent.end());
  entries_.keep(key_of(options), read, absent, write_analysis(analysis));
}

} // namespace smem
