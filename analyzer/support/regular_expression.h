// Regular expressions out of options and configurations, within bounds.
#pragma once

#include <string>
#include <string_view>

namespace smem {

/// What is wrong with `text` as a regular expression (POSIX extended, as
/// llvm::Regex has them), or empty. LLVM's implementation writes repetitions
/// out and tries back references one after the other: an expression is at most
/// 1000 characters long, repeats nothing more than 1000 times altogether, and
/// refers back to nothing, so that a match takes time proportional to the text.
std::string wrong_with_regular_expression(std::string_view text);

} // namespace smem
