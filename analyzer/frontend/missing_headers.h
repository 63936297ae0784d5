// Headers that are included and not there: of host frameworks, which kernels do not need, and of the user's own.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace smem {

class DiagnosticCollector;

/// Frameworks of host code (PyTorch, MPI, OpenCV, ...): a header of theirs that is not installed is skipped.
bool is_host_framework(std::string_view header);

/// A folder near `file` that has `header`, or empty. Looks at the project that the file lies in, and not for long.
std::string find_include_folder(const std::string &file, const std::string &header);

/// Whether the shipped stand-in for PyTorch may take the place of this header.
bool has_stand_in(std::string_view header);

/// What the inclusions of a compilation said.
struct Inclusions {
  bool framework_missing = false;    ///< some host framework is not installed; a stand-in is none
  std::set<std::string> replaceable; ///< headers that were not found and that has_stand_in() holds for
};

/// Watches the inclusions of a compilation. From the first skipped header on, or from the beginning where it is `tolerant`, errors no
/// longer end it.
/// `headers` is the folder of the shipped headers; messages go to `sink`.
void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      std::vector<Diagnostic> &sink, Inclusions &inclusions, bool tolerant);

} // namespace smem
