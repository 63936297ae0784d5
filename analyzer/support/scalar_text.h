// Values of arguments as the source would write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smem {

/// Whether a type of this name is a floating-point number.
bool is_floating_type(std::string_view type);

/// `bits` of an argument of `type`, which takes `size` bytes: "1.5f", "0.25", "-3".
std::string scalar_text(std::int64_t bits, std::string_view type, std::uint64_t size);

} // namespace smem
