// Kernel templates that nothing in the file instantiates, and host templates that launch kernels: instantiated for plausible
// arguments, so that they are analysed at all. What follows from them is assumed, and said to be.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace clang {
class ASTConsumer;
class CompilerInstance;
class Decl;
} // namespace clang

namespace smem {

class DiagnosticCollector;
struct InstantiationBudget;

/// In the messages about templates that nothing instantiates, which are at the place of the template.
inline constexpr const char *kNotInstantiated = " is not instantiated in this file";

/// What earlier attempts at the same source found out. Code that does not compile leaves its traces in a syntax tree, so that the
/// arguments that do are tried again in a fresh one.
struct TemplateTrials {
  bool enabled = true;
  int attempts = 0;                        ///< that were made again for them
  std::map<std::string, std::size_t> next; ///< by place of the template: the first candidate that may be tried
};

/// A kernel that is there because a template was instantiated for arguments of the analysis' own making.
struct AssumedKernel {
  std::string why;                    ///< "scale<float, 32>: nothing in this file instantiates the template"
  std::vector<std::string> arguments; ///< those that the source does not write: "T=float", "W=32"
};

struct AssumedTemplates {
  bool again = false; ///< this attempt's tree has errors of a trial; `trials` knows more now
  std::map<const clang::Decl *, AssumedKernel> kernels; ///< by canonical declaration
  std::vector<Diagnostic> diagnostics;
};

/// To come before the code generator. `trials` and `result` outlive it.
std::unique_ptr<clang::ASTConsumer> make_template_assumer(clang::CompilerInstance &compiler,
                                                          DiagnosticCollector &collector,
                                                          InstantiationBudget &instantiations, TemplateTrials &trials,
                                                          AssumedTemplates &result);

} // namespace smem
