// The tokens of a text that is not preprocessed.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/TokenKinds.h>

namespace smem {

/// The tokens of a text, which outlives it, without directives; of a condition those of its first branch that is not `#if 0`.
class SourceTokens {
public:
  explicit SourceTokens(std::string_view text);

  struct Token {
    clang::tok::TokenKind kind;
    std::size_t offset, length;
  };

  /// Those that begin in [from, limit).
  std::vector<Token> read(std::size_t from, std::size_t limit) const;

private:
  clang::LangOptions language_;
  const char *begin_, *end_;
};

} // namespace smem
