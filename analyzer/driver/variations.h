// What --what-if asks for: edits of the source's text, macros and launches, none of which is written anywhere.
#pragma once

#include "driver/options.h"

#include <map>
#include <string>
#include <vector>

namespace smem {

/// `Bs pitch=33`, `block=(32,8)`, `TILE=16,32,64`, `TILE=16..64 step 16`.
struct Variation {
  enum class Kind {
    Pitch,    ///< of a shared array: its last dimension
    Launch,   ///< words of --launch
    Constant, ///< a constant or macro of the source, else a kernel's parameter
  };
  Kind kind = Kind::Constant;
  std::string name; ///< of the array or constant; of a launch the words before the first value: `kernel:block`
  std::vector<std::string> values; ///< at least one
  std::string rest;                ///< of a launch: the words that all values have
};

/// On failure `error` says what is wrong with the text.
Variation parse_variation(const std::string &text, std::string &error);

/// One value of each variation.
struct SourceVariant {
  std::string text; ///< "TILE=64, block=(32,8)"; empty: as it is
  std::vector<std::pair<const Variation *, std::string>> values;
};

/// All combinations, in the order of the values, the first one as it is. More than a few hundred are an error.
std::vector<SourceVariant> variants_of(const std::vector<Variation> &variations, std::string &error);

/// Applies a variant to the texts of files, by normalised path, and to the options: what analyses the variant. On failure `error` says what
/// no file has.
DriverOptions options_for(const SourceVariant &variant, const DriverOptions &options,
                          const std::map<std::string, std::string> &texts, std::string &error);

} // namespace smem
