// The headers that come before the first line of every source, parsed once: a precompiled header of Clang's.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "frontend/frontend.h"

namespace smem {

/// Names that headers were looked for by in the folders of the search path, whether or not they were found.
struct SearchedNames {
  std::set<std::string> angled;
  std::set<std::string> quoted; ///< and that are not beside the file that includes them
};

/// What is said of its headers holds of those of `base`, too.
struct Prefix {
  std::shared_ptr<const Prefix>
      base;           ///< that it goes on from: its tree names what is in that one's. Null: it is the first
  std::string bytes;  ///< the precompiled header is what begins at `at`
  std::size_t at = 0; ///< at the end: these headers cannot be precompiled
  SourceDependencies dependencies;  ///< of the headers; without folders of -I and -iquote
  SearchedNames searched;           ///< by the headers: no folder of -I and -iquote may have these
  std::uint64_t source_bytes = 0;   ///< of the headers, as source_bytes() counts
  std::uint64_t instantiations = 0; ///< of templates, within them

  std::string_view tree() const { return std::string_view(bytes).substr(at); }
};

/// Prefixes of this run and of earlier ones.
class PrefixStore {
public:
  virtual ~PrefixStore() = default;
  /// What was kept for `key` with that `base`, if the headers that it was made of are what they were; else null.
  virtual std::shared_ptr<const Prefix> known(const std::string &key, const std::shared_ptr<const Prefix> &base) = 0;
  virtual std::shared_ptr<const Prefix> keep(const std::string &key, Prefix prefix) = 0;
};

} // namespace smem
