#include "sinks/characters.h"

#include <array>

namespace smem::sinks {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Unicode 15: general categories Cc, Cf (but for script-specific marks), Zl, Zp.
constexpr std::array<Range, 14> kHidden{{{0x00, 0x1f},
                                         {0x7f, 0x9f},
                                         {0xad, 0xad},
                                         {0x61c, 0x61c},
                                         {0x180e, 0x180e},
                                         {0x200b, 0x200f},
                                         {0x2028, 0x202e},
                                         {0x2060, 0x206f},
                                         {0xfdd0, 0xfdef},
                                         {0xfeff, 0xfeff},
                                         {0xfff0, 0xfffb},
                                         {0x1bca0, 0x1bca3},
                                         {0x1d173, 0x1d17a},
                                         {0xe0000, 0xe0fff}}};

std::string hexadecimal(std::uint32_t value, int least_digits) {
  std::string out;
  for (; value != 0 || least_digits > 0; value >>= 4, --least_digits)
    out.insert(out.begin(), "0123456789abcdef"[value & 15]);
  return out;
}

} // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Character stray{byte(0), text.substr(0, 1), false};
  if (byte(0) < 0x80)
    return {byte(0), text.substr(0, 1), true};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length)
    return stray;
  std::uint32_t code = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return stray;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000}; // a longer spelling than needed is none
  if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return stray;
  return {code, text.substr(0, length), true};
}

bool is_hidden(std::uint32_t code) {
  for (const Range &range : kHidden)
    if (code >= range.first && code <= range.last)
      return true;
  return (code & 0xfffe) == 0xfffe;
}

std::string visible(const Character &character) {
  if (character.valid)
    switch (character.code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
  return character.valid && character.code >= 0x80 ? "\\u{" + hexadecimal(character.code, 1) + "}"
                                                   : "\\x" + hexadecimal(character.code, 2);
}

bool begins_log_command(std::string_view text) {
  return text.starts_with("##[") || text.starts_with("##vso[") || text.starts_with("##teamcity[");
}

} // namespace smem::sinks
