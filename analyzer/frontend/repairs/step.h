// What is done about a source that does not compile as it stands, or whose errors leave out kernels: a step for each kind of obstacle.
//
// After each attempt the steps are asked in their order (steps.h), and the first that has something to try ends the round. A step keeps what it needs
// between rounds, so that what was tried and gained nothing is taken back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/attempt.h"

namespace smem {

/// What follows from an attempt, as far as a step is concerned.
enum class Next {
  Step,         ///< the next step is asked
  Again,        ///< another attempt
  AgainForFree, ///< another attempt, of which there may be any number
  Done,         ///< the result is what there is of this source
};

/// A source between two attempts at it.
struct Progress {
  /// `options` and `headers` outlive it.
  Progress(const FrontendOptions &options, const std::string &headers) : options(options), headers(headers) {}

  const FrontendOptions &options;
  const std::string &headers;                   ///< the folder of those that smem-lint ships
  std::vector<std::string> arguments;           ///< of the compiler's driver
  Repairs repairs;                              ///< what the next attempt is told
  FrontendResult result;                        ///< of the last attempt, or what a step went back to
  Attempt attempt;                              ///< the last one
  std::vector<Diagnostic> about_headers;        ///< of the last attempt that did not crash
  std::optional<clang::CodeGenOptions> codegen; ///< the same
  std::vector<Diagnostic> before;               ///< what there is to say whatever comes of the attempts
  std::vector<Diagnostic> refusal;              ///< what there is to say where nothing comes of them
  std::vector<Diagnostic> messages;             ///< what was done about the source
  bool leaves_out_bodies = false;               ///< on trial: HiddenKernels has to judge the attempt as it is
  bool without_kernels = false;                 ///< what there is of the source has none, for its errors
  bool is_optimised = false;                    ///< the result, already
};

class RepairStep {
public:
  virtual ~RepairStep() = default;
  virtual Next after(Progress &progress) = 0;
  /// After the last attempt: what is still being tried and has gained nothing is taken back.
  virtual void finish(Progress &) {}
  /// A message about what was compiled, in the terms of the source.
  virtual void reword(Diagnostic &, const Progress &) const {}
};

} // namespace smem
