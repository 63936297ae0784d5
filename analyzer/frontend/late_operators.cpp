#include "frontend/late_operators.h"

#include <algorithm>
#include <optional>

#include "frontend/source_tokens.h"

namespace smem {
namespace {

using Token = SourceTokens::Token;

/// What a namespace has in it, one after the other: which of it a place is in.
class Declarations {
public:
  explicit Declarations(std::string_view text) : text_(text), tokens_(SourceTokens(text).read(0, text.size())) {}

  struct Declaration {
    std::size_t first = 0;               ///< its first token
    std::vector<std::string> namespaces; ///< around it, by their heads
    bool operator==(const Declaration &) const = default;
  };

  std::optional<Declaration> around(std::size_t place) const {
    std::vector<bool> open; // braces, whether each is of a namespace
    Declaration now;
    bool next = true;
    for (std::size_t i = 0; i < tokens_.size() && tokens_[i].offset <= place; ++i) {
      const bool in_namespace = std::ranges::find(open, false) == open.end();
      if (next && in_namespace)
        now.first = i;
      next = false;
      switch (tokens_[i].kind) {
      case clang::tok::l_brace:
        open.push_back(in_namespace && opens_namespace(now.first));
        if ((next = open.back()))
          now.namespaces.push_back(text_of(now.first, i));
        break;
      case clang::tok::r_brace:
        if (open.empty())
          return std::nullopt;
        if (open.back())
          now.namespaces.pop_back();
        open.pop_back();
        next = std::ranges::find(open, false) == open.end();
        break;
      case clang::tok::semi: next = in_namespace; break;
      default: break;
      }
    }
    return now;
  }

  /// The head of the operator whose name is at `name`, up to its body; empty where that is no function of a namespace, or has default arguments, which are given once.
  std::string head(const Declaration &function, std::size_t name) const {
    std::size_t end = function.first;
    bool named = false, defaults = false;
    for (; end < tokens_.size() && tokens_[end].kind != clang::tok::l_brace && tokens_[end].kind != clang::tok::semi;
         ++end) {
      const bool is_name = tokens_[end].offset == name && word(end) == "operator";
      defaults |= tokens_[end].kind == clang::tok::equal && !(end != 0 && word(end - 1) == "operator");
      named |= is_name;
    }
    std::string text = text_of(function.first, end);
    return named && !defaults && text.find('\n') == std::string::npos ? text : std::string();
  }

  std::size_t offset_of(const Declaration &declaration) const { return tokens_[declaration.first].offset; }

private:
  std::string_view word(std::size_t token) const { return text_.substr(tokens_[token].offset, tokens_[token].length); }
  bool opens_namespace(std::size_t first) const {
    return word(first) == "namespace" || word(first) == "extern" ||
           (word(first) == "inline" && first + 1 < tokens_.size() && word(first + 1) == "namespace");
  }
  std::string text_of(std::size_t first, std::size_t end) const {
    std::string text;
    for (std::size_t i = first; i < end; ++i)
      (text += word(i)) += ' ';
    return text;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<EarlierDeclaration> declare_earlier(std::string_view text, std::size_t use,
                                                std::span<const std::size_t> names) {
  std::vector<EarlierDeclaration> earlier;
  const Declarations declarations(text);
  const auto user = declarations.around(use);
  for (const std::size_t name : names) {
    const auto used = user && use < name ? declarations.around(name) : std::nullopt;
    if (!used || *user == *used || user->namespaces != used->namespaces)
      continue;
    if (const std::string head = declarations.head(*used, name); !head.empty())
      earlier.push_back({declarations.offset_of(*user), head + "; "});
  }
  return earlier;
}

} // namespace smem
