// The headers with which a source begins.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace smem {

/// The text of a file; nothing if there is none.
using ReadText = std::function<std::optional<std::string>(const std::string &path)>;

struct LeadingHeaders {
  std::vector<std::string> names;  ///< as the source writes them between `<` and `>`, each once
  std::vector<std::string> guards; ///< macros that are defined before one of them

  bool operator==(const LeadingHeaders &) const = default;
};

/// What the source `path` has of `#include <...>` before anything else, comments and `#pragma once` aside. `#include "..."` of a header beside the includer that
/// begins with `#pragma once` or an include guard is followed, for what such a header includes first the source includes first.
LeadingHeaders leading_headers(const std::string &path, const ReadText &read);

} // namespace smem
