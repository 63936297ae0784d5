// Headers that are included and not there: of host frameworks, which kernels do not need, and of the user's own.
#pragma once

#include <map>
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

/// Whether the shipped stand-in for PyTorch may take the place of this header.
bool has_stand_in(std::string_view header);

/// What is known of the user's own headers that no include folder has.
struct OwnHeaders {
  bool search = false; ///< the project's only file of that name is meant
  std::map<std::string, std::string>
      found; ///< files, by plain names; each has a stand-in in kFoundHeaders that includes it
};

/// A folder that is none: what is in it is found behind all include folders.
inline constexpr std::string_view kFoundHeaders = "/smem-lint-found-headers";

/// What the inclusions of a compilation said.
struct Inclusions {
  bool header_missing = false;                   ///< of some host framework, or of the user's own; a stand-in is none
  std::set<std::string> replaceable;             ///< headers that were not found and that has_stand_in() holds for
  bool has_pytorch = false;                      ///< PyTorch's own headers, which a stand-in would contradict
  std::map<std::string, std::string> in_project; ///< headers of OwnHeaders::search, as OwnHeaders::found has them
  std::set<std::string> skipped;                 ///< of the user's own
  std::vector<Diagnostic> messages;
  /// Not empty: what has to hold for the source to be that of a build. Of a header that was skipped, taken from the project, or asked for in vain
  /// although the project has it.
  std::string assumed_headers;
};

/// Watches the inclusions of a compilation. From the first skipped header on, or from the beginning where it is `tolerant`, errors no
/// longer end it.
/// `headers` is the folder of the shipped headers.
void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      Inclusions &inclusions, const OwnHeaders &own, bool tolerant);

} // namespace smem
