#include "analysis/compiled_sources.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include <llvm/ADT/StringRef.h>

#include "sinks/files.h"
#include "support/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestSource = std::size_t{16} << 20;

bool is_source_name(llvm::StringRef path) {
  constexpr std::array<const char *, 17> kEnds{".cu",  ".cuh", ".c",   ".cc", ".cpp", ".cxx", ".h",  ".hh",  ".hpp",
                                               ".hxx", ".inl", ".inc", ".py", ".ptx", ".jl",  ".rs", ".mojo"};
  return std::ranges::any_of(kEnds, [&](const char *end) { return path.ends_with(end); });
}

/// `path` below `folder` without as many of its first components as it takes to be there, but with its name and the folder of that.
std::string below(const std::string &folder, const fs::path &path) {
  std::vector<fs::path> parts(path.begin(), path.end());
  std::error_code error;
  for (std::size_t first = 1; first + 1 < parts.size(); ++first) {
    fs::path candidate = folder;
    for (std::size_t i = first; i < parts.size(); ++i)
      candidate /= parts[i];
    if (fs::is_regular_file(candidate, error))
      return normalise_path(candidate.string());
  }
  return {};
}

} // namespace

CompiledSources::CompiledSources(const std::vector<compiled::Listing> &listings, const std::string &file,
                                 LowerOptions options)
    : options_(std::move(options)), folder_(fs::path(normalise_path(file)).parent_path().string()) {
  for (const compiled::Listing &listing : listings)
    for (const CompiledSource &source : listing.sources)
      if (source.bytes != 0)
        bytes_.emplace(source.file, source.bytes);
}

CompiledSources::File &CompiledSources::file(const std::string &listed) {
  const auto [entry, fresh] = files_.try_emplace(listed);
  File &file = entry->second;
  if (!fresh)
    return file;
  file.here = normalise_path(listed);
  std::error_code error;
  file.present = fs::is_regular_file(file.here, error);
  const auto compiled = bytes_.find(listed);
  const auto size_differs = [&](const std::string &path) {
    const std::uintmax_t bytes = fs::file_size(path, error);
    return compiled != bytes_.end() && !error && bytes != compiled->second;
  };
  if (!file.present)
    for (const std::string &folder : {normalise_path("."), folder_})
      // Elsewhere a name alone may be that of another file.
      if (const std::string found = below(folder, file.here); !found.empty() && !file.present) {
        file.here = found;
        file.present = true;
      }
  file.changed = file.present && size_differs(file.here);
  listed_.emplace(file.here, listed);
  return file;
}

SourceLocation CompiledSources::place(const std::vector<compiled::ListedPlace> &chain) {
  const compiled::ListedPlace *chosen = nullptr;
  for (const compiled::ListedPlace &place : chain)
    if (place.line != 0 && is_source_name(place.file) && (!chosen || is_toolkit(chosen->file)) &&
        (!chosen || !is_toolkit(place.file)))
      chosen = &place;
  return chosen ? SourceLocation{file(chosen->file).here, chosen->line, 0} : SourceLocation{};
}

std::string CompiledSources::text(const SourceLocation &location) {
  const auto listed = listed_.find(location.file);
  if (listed == listed_.end())
    return {};
  File &file = this->file(listed->second);
  if (!file.present || file.changed)
    return {};
  if (!std::exchange(file.read, true)) {
    std::string wrong;
    const std::optional<std::string> text = sinks::read_file(file.here, wrong, kLargestSource);
    llvm::StringRef rest(text ? llvm::StringRef(*text) : llvm::StringRef());
    while (!rest.empty()) {
      const auto [line, behind] = rest.split('\n');
      file.lines.push_back(line.trim().str());
      rest = behind;
    }
  }
  if (location.line > file.lines.size())
    return {};
  const llvm::StringRef line(file.lines[location.line - 1]);
  // Without a comment; in Python `//` divides.
  const llvm::StringRef code =
      llvm::StringRef(location.file).ends_with(".py") ? line : line.take_front(line.find("//"));
  return code.rtrim(" \t;").str();
}

std::vector<std::string> CompiledSources::changed() const {
  std::vector<std::string> changed;
  for (const auto &[listed, file] : files_)
    if (file.changed)
      changed.push_back(file.here);
  return changed;
}

} // namespace smem
