// What a text includes, as far as that shows without a preprocessor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// The names in the `#include` directives of a text, whatever conditions they stand under. `by_macro`, unless null, becomes true where one has a macro
/// instead.
struct IncludedName {
  std::string_view name; ///< of the text
  bool quoted = false;   ///< "name", not <name>
};
std::vector<IncludedName> included_names(std::string_view text, bool *by_macro = nullptr);

/// The folders that compiler flags name for headers, as they are written.
std::vector<std::string_view> include_folders(const std::vector<std::string> &flags);

} // namespace smem
