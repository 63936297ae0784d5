// Headers that are included and not there: of host frameworks, which kernels do not need, and of the user's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "source/diagnostic.h"

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace smem {

class DiagnosticCollector;

/// Frameworks of host code (PyTorch, MPI, OpenCV, ...): a header of theirs that is not installed is skipped.
bool is_host_framework(std::string_view header);

/// A folder near `file` that has `header`, or empty. Looks at the project that the file lies in, and not for long.
std::string find_include_folder(const std::string &file, const std::string &header);

/// Watches the inclusions of a compilation. From the first skipped header on, errors of host code no longer end it.
/// `headers` is the folder of the shipped headers; messages go to `sink`.
void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      std::vector<Diagnostic> &sink);

/// Takes the bodies of those device functions away that have errors after a header was skipped, before code is generated from
/// them; a kernel without its body is an error in `sink`.
std::unique_ptr<clang::ASTConsumer> make_host_error_consumer(clang::CompilerInstance &compiler, const DiagnosticCollector &collector,
                                                             std::vector<Diagnostic> &sink);

} // namespace smem
