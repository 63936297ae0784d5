#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smem::compare {

/// `1 048 576`, with spaces that do not break.
inline std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, "\u202f");
  }
  return digits;
}

} // namespace smem::compare
