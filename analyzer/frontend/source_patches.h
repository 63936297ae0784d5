// Constructs that nvcc accepts and Clang does not, rewritten in memory. The files themselves are never touched, and line numbers
// stay.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace smem {

/// An error of Clang at a place in a file.
struct SourceError {
  unsigned id = 0;      ///< of clang::diag
  std::string path;     ///< as Clang opened it
  std::size_t offset = 0;
  std::string contents; ///< of the file
};

/// File contents to compile instead of those on disk, by path.
using PatchedSources = std::map<std::string, std::string>;

/// Rewrites what the errors are about; false if none of them is about a construct that is known here.
bool patch_sources(const std::vector<SourceError> &errors, PatchedSources &sources);

} // namespace smem
