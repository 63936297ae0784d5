// Constructs that nvcc accepts and Clang does not, rewritten in memory. The files themselves are never touched, and line numbers
// stay.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace smem {

/// An error of Clang at a place in a file.
struct SourceError {
  unsigned id = 0;  ///< of clang::diag
  std::string path; ///< as Clang opened it
  std::size_t offset = 0;
  std::shared_ptr<const std::string> contents; ///< of the file; one for all of its errors
  std::string message;
  bool in_macro = false;            ///< the place is in the definition of a macro that was expanded
  bool tolerated = false;           ///< it did not end the compilation
  bool clashes_with_header = false; ///< what was declared before and otherwise stands in a system header
  std::optional<std::size_t>
      too_late{}; ///< where in the same file the name of what is meant is declared, behind the place
};

/// Where that is.
SourceLocation place_of(const SourceError &error);

/// What is compiled instead of what stands in files.
struct PatchedSources {
  std::map<std::string, std::string> files; ///< contents, by path
  std::set<std::string> own_names; ///< names of the source that an implicitly included header has, too: to be renamed
  std::vector<Diagnostic> notes;   ///< where what nvcc makes of a construct is not what it looks like
  int rounds = 0;                  ///< of rewriting
};

/// Rewrites what the errors are about; false if none of them is about a construct that is known here.
bool patch_sources(const std::vector<SourceError> &errors, PatchedSources &sources);

} // namespace smem
