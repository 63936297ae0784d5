// What tells a user's own results of earlier runs from those that somebody else put into the cache.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace smem {

/// The key of this user: $SMEM_LINT_CACHE_KEY, or what `smem-lint/cache.key` in $XDG_CONFIG_HOME or ~/.config holds, which is made if it is not there.
/// Empty, with an error text: there is none, or others can read it.
std::string user_cache_key(std::string &error);

inline constexpr std::size_t kAuthenticationBytes = 32;

/// Of a text in pieces, for somebody who has the key: BLAKE3 in its keyed mode, so many bytes. The key may have any length.
std::string authentication_code(std::string_view key, std::initializer_list<std::string_view> pieces);

} // namespace smem
