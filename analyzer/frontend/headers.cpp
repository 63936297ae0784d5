#include "frontend/headers.h"

#include <filesystem>
#include <system_error>

namespace smem {

namespace fs = std::filesystem;

std::string find_shipped_headers() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = executable.parent_path().parent_path() / "share" / "smem-lint" / "headers";
    if (fs::is_directory(installed, error))
      return installed.string();
  }
  const fs::path source(SMEM_LINT_SOURCE_HEADERS);
  return fs::is_directory(source, error) ? source.string() : std::string();
}

} // namespace smem
