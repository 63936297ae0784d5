// nvcc's command line in Clang's spelling.
#pragma once

#include <string>
#include <vector>

#include "source/diagnostic.h"

namespace smem {

struct TranslatedFlags {
  std::vector<std::string> clang;           ///< for the Clang driver
  std::vector<std::string> architectures;   ///< named by -arch, -gencode, --cuda-gpu-arch, in order: "sm_80"
  std::vector<Diagnostic> diagnostics;      ///< flags that are refused (errors) or change what is modelled (warnings)
};

/// Flags in nvcc's or Clang's spelling. What neither table row knows passes through unchanged; arguments that are no
/// options (source files) are dropped.
TranslatedFlags translate_flags(const std::vector<std::string> &flags);

} // namespace smem
