// A message with a place. Library code returns these; only the driver prints.
#pragma once

#include <string>

#include "smem/source.h"

namespace smem {

struct Diagnostic {
  enum class Severity { Note, Warning, Error };
  Severity severity = Severity::Error;
  SourceLocation location; ///< may be unknown
  std::string message;     ///< no trailing full stop, clang's style
  /// Names a kernel, a launch or a part of one that the source has and the analysis lacks, whatever the severity: printed even with
  /// --quiet, and a file of which no kernel was analysed then ends the run with exit code 2.
  bool incomplete = false;
};

} // namespace smem
