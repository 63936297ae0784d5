// How much of what is drawn at random is tried.
#pragma once

#include <cstdlib>

namespace smem::test {

/// Where there is time for all of it: each week, .github/workflows/weekly.yml.
inline bool long_tests() {
  const char *wish = std::getenv("SMEM_LINT_LONG_TESTS");
  return wish != nullptr && *wish != '\0';
}

} // namespace smem::test
