// Patterns as users write them for names.
#pragma once

#include <string_view>

namespace smem {

/// `*` matches any run of characters; everything else matches itself.
bool glob_matches(std::string_view pattern, std::string_view text);

} // namespace smem
