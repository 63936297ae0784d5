#include "fixes/source_texts.h"

#include "sinks/files.h"
#include "support/paths.h"

#include <functional>
#include <string>
#include <utility>

namespace smem {
namespace {

std::string contents_of(const std::string &file, const AnalysisOptions &options) {
  if (options.frontend.contents && file == normalise_path(options.frontend.file))
    return *options.frontend.contents;
  if (const auto overlay = options.frontend.overlays.find(file); overlay != options.frontend.overlays.end())
    return overlay->second;
  std::string wrong;
  return sinks::read_file(file, wrong).value_or("");
}

} // namespace

void read_texts(FileTexts &texts, const FileAnalysis &analysis, const AnalysisOptions &options,
                const std::vector<std::size_t> &variables) {
  const auto read = [&](const std::string &file) {
    if (file.empty() || texts.count(file))
      return;
    std::string contents = contents_of(file, options);
    // What was compiled may be a rewritten form of it.
    const auto compiled = analysis.arrays.texts.find(file);
    if (compiled != analysis.arrays.texts.end() && compiled->second == std::hash<std::string>{}(contents))
      texts[file] = std::move(contents);
  };
  for (const std::size_t i : variables) {
    const ArrayVariable &variable = analysis.arrays.variables[i];
    read(variable.extent.file);
    for (const ArrayUse &use : variable.uses)
      read(use.index.file);
    for (const TextRange &pitch : variable.pitches)
      read(pitch.file);
  }
}

} // namespace smem
