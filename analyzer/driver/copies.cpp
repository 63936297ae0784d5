#include "driver/copies.h"

#include "archive/archive.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace smem {
namespace {

using Kernel = std::pair<SourceLocation, std::string>; ///< where it stands, its mangled name

Kernel kernel_of(const Program &program) { return {program.location, program.mangled}; }

/// Leaves the launches that are to be kept, and the programs that have not lost all of theirs.
void keep_launches(FileAnalysis &analysis, FileFixes *fixes, const std::vector<bool> &keep) {
  std::vector<std::size_t> position;
  std::set<std::size_t> left, lost;
  std::vector<LaunchAnalysis> launches;
  for (std::size_t i = 0; i < analysis.launches.size(); ++i) {
    (keep[i] ? left : lost).insert(analysis.launches[i].program);
    position.push_back(keep[i] ? launches.size() : SIZE_MAX);
    if (keep[i])
      launches.push_back(std::move(analysis.launches[i]));
  }
  analysis.launches = std::move(launches);
  std::set<const Program *> gone;
  for (const std::size_t program : lost)
    if (!left.contains(program)) {
      gone.insert(&analysis.programs[program]);
      analysis.left_out.push_back(analysis.programs[program].kernel);
    }
  if (fixes) {
    std::erase_if(fixes->sites, [&](const FixedSite &site) { return position[site.launch] == SIZE_MAX; });
    for (FixedSite &site : fixes->sites)
      site.launch = position[site.launch];
  }
  keep_programs(analysis, [&](const Program &program) { return !gone.contains(&program); });
}

} // namespace

void drop_copies(std::vector<FileAnalysis> &files, std::vector<FileFixes> &fixes) {
  std::map<Kernel, std::size_t> files_with;
  for (const FileAnalysis &file : files) {
    std::set<Kernel> own;
    for (const Program &program : file.programs)
      own.insert(kernel_of(program));
    for (const Kernel &kernel : own)
      ++files_with[kernel];
  }
  std::map<Kernel, std::set<std::array<std::uint8_t, 32>>> said;
  for (std::size_t i = 0; i < files.size(); ++i) {
    FileAnalysis &file = files[i];
    std::vector<bool> keep(file.launches.size(), true);
    std::vector<std::pair<Kernel, std::array<std::uint8_t, 32>>> own; // a file's launches are no copies of each other
    for (std::size_t n = 0; n < keep.size(); ++n) {
      const Kernel kernel = kernel_of(file.programs[file.launches[n].program]);
      if (files_with[kernel] < 2)
        continue;
      const std::string text = launch_text(file, n);
      const std::array<std::uint8_t, 32> hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
      keep[n] = !said[kernel].contains(hash);
      own.emplace_back(kernel, hash);
    }
    for (const auto &[kernel, hash] : own)
      said[kernel].insert(hash);
    if (std::ranges::find(keep, false) != keep.end())
      keep_launches(file, i < fixes.size() ? &fixes[i] : nullptr, keep);
  }
}

} // namespace smem
