// nvcc's command line in Clang's spelling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/diagnostic.h"

namespace smem {

struct TranslatedFlags {
  std::vector<std::string> clang;           ///< for the Clang driver
  std::vector<std::string> architectures;   ///< named by -arch, -gencode, --cuda-gpu-arch, in order: "sm_80"
  std::vector<Diagnostic> diagnostics;      ///< flags that are refused (errors) or change what is modelled (warnings)
};

/// What becomes of an option.
enum class FlagTreatment : std::uint8_t {
  Unknown,   ///< not in nvcc_options.h: handed to Clang as it is
  Translate, ///< it decides what is compiled, for which architecture, or where headers are
  Drop,      ///< of no consequence for the memory instructions of device code
  Warn,      ///< dropped, but the figures are not those of such a build
  Refuse,    ///< nothing can be analysed
};
FlagTreatment treatment_of(std::string_view option);
std::string_view to_string(FlagTreatment treatment);

/// Flags in nvcc's or Clang's spelling. What nvcc_options.h does not know passes through unchanged; arguments that are no
/// options (source files) are dropped.
TranslatedFlags translate_flags(const std::vector<std::string> &flags);

} // namespace smem
