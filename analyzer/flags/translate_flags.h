// nvcc's command line in Clang's spelling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flags/allowed_options.h"
#include "support/diagnostic.h"

namespace smem {

struct TranslatedFlags {
  std::vector<std::string> clang;         ///< for the Clang driver: allowed_options.h
  std::vector<std::string> architectures; ///< named by -arch, -gencode, --cuda-gpu-arch, in order: "sm_80"
  std::vector<Diagnostic> diagnostics;    ///< flags that are refused (errors) or change what is modelled (warnings)
  std::vector<UnusedOption> unused;       ///< counted in the flags that were given
  /// What nvcc itself may be given of them, whoever wrote them: what decides its machine code, in characters that a shell leaves alone.
  std::vector<std::string> nvcc;
  std::vector<std::string>
      not_for_nvcc; ///< flags that might have a part in it, and name programs, or are not known to be harmless
};

/// What becomes of an option.
enum class FlagTreatment : std::uint8_t {
  Unknown,   ///< not in nvcc_options.h: Clang's business
  Translate, ///< it decides what is compiled, for which architecture, or where headers are
  Drop,      ///< of no consequence for the memory instructions of device code
  Warn,      ///< dropped, but the figures are not those of such a build
  Refuse,    ///< nothing can be analysed
};
FlagTreatment treatment_of(std::string_view option);
std::string_view to_string(FlagTreatment treatment);

/// Flags in nvcc's or Clang's spelling, those of nvcc_options.h translated, all of them judged by allowed_options.h. Arguments that are
/// no options (source files) are dropped.
TranslatedFlags translate_flags(const std::vector<std::string> &flags);

/// How many words the flag at `at` takes, its value included, in either spelling.
std::size_t words_of_flag(const std::vector<std::string> &flags, std::size_t at);

/// Whether a shell leaves this text alone. nvcc hands what it is given to one.
bool is_plain(std::string_view text);

/// "'-a', '-b' and 3 more", each once.
std::string quoted_list(const std::vector<std::string> &texts);

/// What to say of the unused options: an error for each that no compiler has or that is cut off, and one note for those that are left out.
std::vector<Diagnostic> diagnostics_of(const std::vector<UnusedOption> &unused);

} // namespace smem
