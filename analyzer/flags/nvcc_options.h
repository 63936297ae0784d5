// What nvcc's options are to this tool: a table of their spellings, of how each takes its value, and of what becomes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smem {

struct NvccOption {
  /// Where the value is.
  enum class Argument : std::uint8_t {
    None,          ///< -lineinfo
    Value,         ///< -o x, -o=x
    JoinedOrValue, ///< -Idir, -I dir
    Joined,        ///< -O3: whatever follows the spelling, possibly nothing
  };
  /// What becomes of the option.
  enum class Action : std::uint8_t {
    Drop,         ///< of no consequence for the device code's memory instructions
    Machine,      ///< dropped as well, but the machine code that nvcc makes depends on it
    Program,      ///< dropped as well; it names what nvcc would run or load
    Keep,         ///< Clang knows it: `clang` (or the spelling), then the value, joined
    KeepSeparate, ///< the same, value as an argument of its own
    KeepList,     ///< comma-separated list: KeepSeparate for every element
    Replace,      ///< fixed text, the value is not used
    ReplaceTrue,  ///< the same where the value is true, or else nothing
    ReplaceFalse, ///< where it is false
    Warn,         ///< dropped, but the figures are not those of such a build: `clang` says why
    Refuse,       ///< no analysis is possible: `clang` says why
    Architecture, ///< an architecture, or a list of code specifications
    Host,         ///< list of flags of the host compiler: those of the preprocessor are kept
    Ptxas,        ///< list of flags of ptxas: dropped, the machine code depends on them
    OptionsFile,  ///< more flags in files
  };

  std::string_view spelling; ///< with its dashes, without a value
  Argument argument;
  Action action;
  std::string_view clang = {}; ///< Clang's spelling, or a text: see Action

  /// The value is the next argument of the command line where it is not part of this one.
  bool takes_value() const { return argument == Argument::Value || argument == Argument::JoinedOrValue; }
};

/// The option of exactly this spelling; null if the table has none.
const NvccOption *find_nvcc_option(std::string_view spelling);

/// The option that an argument of a command line is, and the value that the argument itself has.
struct MatchedOption {
  const NvccOption *option = nullptr; ///< null: none of the table
  std::optional<std::string_view>
      value; ///< points into the argument; without one, an option that takes a value has it next
};
/// The longest spelling that fits wins. An option whose value would be the next argument fits only if there is one.
MatchedOption match_nvcc_option(std::string_view argument, bool has_next);

/// Whether nvcc's or Clang's options ask for relocatable device code, which functions of other files may be linked to.
bool makes_relocatable_code(std::span<const std::string> flags);

} // namespace smem
