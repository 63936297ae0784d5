#include "support/regular_expression.h"

#include <algorithm>
#include <cstdint>

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Regex.h>

namespace smem {
namespace {

constexpr std::size_t kLongest = 1000;
constexpr std::uint64_t kMostCopies = 1000;

/// The larger bound of "{2,7}" at the front of `text`; 1 if there is none.
std::uint64_t repetition(llvm::StringRef text) {
  if (!text.consume_front("{"))
    return 1;
  std::uint64_t most = 1, number = 0;
  for (; !text.empty() && !text.starts_with("}"); text = text.drop_front()) {
    number =
        text.front() >= '0' && text.front() <= '9'
            ? std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(text.front() - '0'), kMostCopies + 1)
            : 0;
    most = std::max(most, number);
  }
  return most;
}

} // namespace

std::string wrong_with_regular_expression(std::string_view text) {
  if (text.size() > kLongest)
    return "longer than 1000 characters, the limit";
  // The product over all of them bounds what nested ones come to; those side by
  // side are rarely many.
  std::uint64_t copies = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (text[++i] >= '1' && text[i] <= '9')
        return "back references are not supported";
    } else if (text[i] == '{') {
      copies = std::min(copies * repetition({text.data() + i, text.size() - i}), kMostCopies + 1);
    }
  }
  if (copies > kMostCopies)
    return "repeats something more than 1000 times, the limit";
  // What is under a `+` is written out twice, at every level.
  std::size_t depth = 0, deepest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '(')
      deepest = std::max(deepest, ++depth);
    else if (text[i] == ')')
      depth -= depth != 0;
  }
  if (deepest > 10)
    return "parentheses nested deeper than 10 levels, the limit";
  std::string error;
  (void)llvm::Regex(llvm::StringRef(text.data(), text.size())).isValid(error);
  return error;
}

} // namespace smem
