// What a structured input is made of: bytes, read as choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smem::fuzz {

/// Choices, one after another; zeros when the input is used up.
class Choices {
public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  bool left() const { return !bytes_.empty(); }
  unsigned byte() {
    if (bytes_.empty())
      return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  unsigned below(std::size_t count) { return byte() % static_cast<unsigned>(count); }
  /// Any number: powers of two, all ones, small ones, eight bytes.
  std::int64_t number() {
    switch (below(6)) {
    case 0: return static_cast<std::int64_t>(std::uint64_t{1} << below(64));
    case 1: return (std::int64_t{1} << below(62)) - 1;
    case 2: return -static_cast<std::int64_t>(byte());
    case 3: {
      std::uint64_t value = 0;
      for (int i = 0; i < 8; ++i)
        value = value << 8 | byte();
      return static_cast<std::int64_t>(value);
    }
    default: return byte();
    }
  }

private:
  std::string_view bytes_;
};

} // namespace smem::fuzz
