#include "sources.h"

#include "compare/places.h"
#include "support/sha256.h"

#include <filesystem>
#include <fstream>

namespace smem_lint::validate {

Sources find_sources(const std::set<std::string> &files, const std::string &program) {
  Sources sources;
  std::error_code no_program;
  const auto built = std::filesystem::last_write_time(program, no_program);
  for (const auto &file : files) {
    if (smem::compare::is_toolkit_header(file))
      continue;
    std::ifstream in(file, std::ios::binary);
    std::error_code unknown;
    const auto written = std::filesystem::last_write_time(file, unknown);
    if (!in || unknown)
      continue;
    if (!no_program && written > built)
      sources.changed.push_back(file);
    else
      sources.files.push_back({file, sha256(in)});
  }
  return sources;
}

} // namespace smem_lint::validate
