// Headers that are included and not there: of host frameworks, which kernels do not need, and of the user's own.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/project_headers.h"
#include "support/diagnostic.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace smem {

class DiagnosticCollector;

/// What is known of the user's own headers that no include folder has.
struct OwnHeaders {
  bool search = false; ///< a file of the project is meant
  std::shared_ptr<ProjectFiles> project;
  /// By plain names; each has a stand-in in kFoundHeaders that includes it.
  std::map<std::string, HeaderInProject> found;
  /// What a header that is nowhere includes (known_headers.h), by its plain name, and a stand-in for it in kFoundHeaders as well.
  std::map<std::string, std::set<std::string>> implied;

  /// The text that stands for a header which a build makes (header_patterns.h), likewise.
  std::map<std::string, std::string> generated;

  bool has_any() const { return !found.empty() || !implied.empty() || !generated.empty(); }
};

/// A folder that is none. It is searched behind all others, the system's included: what is found without it stays what it is.
inline constexpr std::string_view kFoundHeaders = "/smem-lint-found-headers";

/// What the inclusions of a compilation said.
struct Inclusions {
  bool header_missing = false;       ///< of some host framework, or of the user's own; a stand-in is none
  std::set<std::string> replaceable; ///< headers that were not found and that have a stand_in_for()
  bool has_pytorch = false;          ///< PyTorch's own headers, which a stand-in would contradict
  std::map<std::string, HeaderInProject> in_project; ///< headers of OwnHeaders::search, as OwnHeaders::found has them
  std::map<std::string, std::string> patterns;       ///< of headers that a build makes, by their plain names
  bool chosen = false;                               ///< one of OwnHeaders::found is not the only one of its name
  std::set<std::string> skipped;                     ///< of the user's own
  std::set<std::string> asked; ///< by __has_include(), by their plain names: whether they are there must not change
  std::string first_missing;   ///< by its plain name, of some framework or the user's own; no stand-in is there for it
  std::vector<Diagnostic> messages;
  /// Not empty: what has to hold for the source to be that of a build. Of a header that was skipped, taken from the project, or asked for in vain
  /// although the project has it.
  std::string assumed_headers;
};

/// Watches the inclusions of a compilation. From the first skipped header on, or from the beginning where it is `tolerant`, errors no
/// longer end it. What `own` has is found in kFoundHeaders from here on.
/// `headers` is the folder of the shipped headers.
void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      Inclusions &inclusions, const OwnHeaders &own, bool tolerant);

} // namespace smem
