// Errors that a compilation goes on after: which functions they are in, and what of it is analysed all the same.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
class Decl;
class FunctionDecl;
} // namespace clang

namespace smem {

class DiagnosticCollector;

/// A function of device code that was left without its body.
struct DroppedFunction {
  const clang::FunctionDecl *function = nullptr;
  SourceLocation location; ///< of the error
  std::string why;
};

/// Takes the bodies of those device functions away that have tolerated errors, before code is generated from them.
std::unique_ptr<clang::ASTConsumer> make_host_error_consumer(clang::CompilerInstance &compiler,
                                                             const DiagnosticCollector &collector,
                                                             std::vector<DroppedFunction> &dropped);

struct ToleratedErrors {
  std::vector<Diagnostic> diagnostics; ///< what the errors are in, each function once
  std::string of_host;                 ///< not empty: what has to hold for launches to be those of the program
  /// What has to hold for kernels to be those of the program, by canonical declaration: of those that the errors can change.
  std::map<const clang::Decl *, std::string> of_kernels;
};

/// Names what tolerated errors are in. Those of host code are warnings where a framework is missing, as that is their cause; so are those of
/// templates, which nvcc looks at less closely. Kernels without a body are not among them.
ToleratedErrors name_tolerated(clang::ASTContext &context, const DiagnosticCollector &collector,
                               bool framework_missing);

} // namespace smem
