#pragma once

#include <cstdint>

namespace smem {

// |value|, also of the least number, whose magnitude is no int64_t.
inline std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

} // namespace smem
