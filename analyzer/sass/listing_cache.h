// Listings of earlier runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem::compiled {

class ListingCache {
public:
  struct Kept {
    std::string text;
    std::vector<std::string> read; ///< files that it was made of, absolute
  };

  virtual ~ListingCache() = default;
  /// What was kept for `key`, if the files that it was made of are what they were.
  virtual std::optional<Kept> known(std::string_view key) = 0;
  /// `read`: the files that it was made of, absolute; `absent`: places where a file would have been read instead of one of these.
  virtual void keep(std::string_view key, const std::vector<std::string> &read, const std::vector<std::string> &absent,
                    const std::string &text) = 0;
};

} // namespace smem::compiled
