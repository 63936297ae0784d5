// Words in texts, as C++ has them.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace smem {

/// Whether a name may have the character.
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "'text'"
inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

} // namespace smem
