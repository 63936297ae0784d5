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
};

} // namespace smem
