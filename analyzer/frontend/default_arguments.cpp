#include "frontend/default_arguments.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "frontend/source_tokens.h"

namespace smem {
namespace {

using Token = SourceTokens::Token;
namespace tok = clang::tok;

bool opens(tok::TokenKind kind) { return kind == tok::l_brace || kind == tok::l_paren || kind == tok::l_square; }
bool closes(tok::TokenKind kind) { return kind == tok::r_brace || kind == tok::r_paren || kind == tok::r_square; }

class Scopes {
public:
  explicit Scopes(std::string_view text) : text_(text), tokens_(SourceTokens(text).read(0, text.size())) {}

  std::string of(std::size_t name) const {
    const auto use =
        std::ranges::find_if(tokens_, [&](const Token &token) { return token.offset == name; }) - tokens_.begin();
    const auto at = static_cast<std::size_t>(use);
    if (at == tokens_.size())
      return {};
    std::vector<std::size_t> braces; // around it
    for (std::size_t i = 0; i < at; ++i)
      if (tokens_[i].kind == tok::l_brace)
        braces.push_back(i);
      else if (tokens_[i].kind == tok::r_brace && !braces.empty())
        braces.pop_back();
    for (; !braces.empty(); braces.pop_back()) {
      if (takes_names(braces.back())) // from base classes, or by `using`
        return {};
      const std::string scope = name_of_scope(braces.back());
      if (!scope.empty() && declares(braces.back() + 1, word(at)))
        return scope + "::";
    }
    return declares(0, word(at)) && !has_using(0) ? "::" : std::string();
  }

private:
  std::string_view word(std::size_t token) const { return text_.substr(tokens_[token].offset, tokens_[token].length); }

  /// The first token of what ends in this brace.
  std::size_t head_of(std::size_t brace) const {
    std::size_t first = brace;
    while (first != 0 && tokens_[first - 1].kind != tok::semi && tokens_[first - 1].kind != tok::l_brace &&
           tokens_[first - 1].kind != tok::r_brace)
      --first;
    return first;
  }

  /// Of a class or a namespace that has one. Words in brackets belong to attributes or to arguments of templates.
  std::string name_of_scope(std::size_t brace) const {
    std::string name;
    int depth = 0, angles = 0;
    bool is_scope = false;
    for (std::size_t i = head_of(brace); i < brace; ++i) {
      const tok::TokenKind kind = tokens_[i].kind;
      depth += opens(kind) - closes(kind);
      if (depth == 0)
        angles += (kind == tok::less) - (kind == tok::greater) - 2 * (kind == tok::greatergreater);
      if (depth != 0 || angles != 0)
        continue;
      const std::string_view now = word(i);
      if (now == "class" || now == "struct" || now == "union" || now == "namespace")
        is_scope = true;
      else if (is_scope && kind == tok::colon) // what follows are base classes
        return name;
      else if (is_scope && kind == tok::raw_identifier && now != "final" && tokens_[i + 1].kind != tok::l_paren)
        name = tokens_[i - 1].kind == tok::coloncolon ? name + "::" + std::string(now) : std::string(now);
      else if (kind == tok::r_paren && i + 1 == brace) // of a function
        return {};
    }
    return name;
  }

  /// `using a::n;` in the scope whose first token this is.
  bool has_using(std::size_t first) const {
    int depth = 0;
    for (std::size_t i = first; i < tokens_.size() && depth >= 0; ++i) {
      depth += opens(tokens_[i].kind) - closes(tokens_[i].kind);
      if (depth == 0 && word(i) == "using")
        return true;
    }
    return false;
  }

  /// Whether names in this scope may be of elsewhere.
  bool takes_names(std::size_t brace) const {
    int depth = 0;
    for (std::size_t i = head_of(brace); i < brace; ++i) {
      depth += opens(tokens_[i].kind) - closes(tokens_[i].kind);
      if (depth == 0 && tokens_[i].kind == tok::colon)
        return true;
    }
    return has_using(brace + 1);
  }

  bool is_transparent(std::size_t brace) const {
    const std::size_t first = head_of(brace);
    const bool scoped = first + 1 < brace && (word(first + 1) == "class" || word(first + 1) == "struct");
    return first != brace && !(word(first) == "enum" && scoped) &&
           (word(first) == "enum" || word(first) == "extern" || (word(first) == "namespace" && first + 1 == brace));
  }

  /// Whether the scope whose first token this is has a variable or an enumerator of that name.
  bool declares(std::size_t first, std::string_view name) const {
    int depth = 0, transparent = 0;
    bool has_value = false; // what follows is an expression
    for (std::size_t i = first; i < tokens_.size() && depth >= 0; ++i) {
      const tok::TokenKind kind = tokens_[i].kind;
      if (kind == tok::l_brace && depth == 0 && is_transparent(i)) {
        ++transparent;
        has_value = false;
      } else if (kind == tok::r_brace && depth == 0 && transparent != 0) {
        --transparent;
      } else {
        depth += opens(kind) - closes(kind);
      }
      if (depth != 0)
        continue;
      if (kind == tok::semi || kind == tok::comma || kind == tok::r_brace)
        has_value = false;
      else if (kind == tok::equal)
        has_value = true;
      else if (!has_value && word(i) == name && i != first && i + 1 < tokens_.size() && begins(i) && ends(i + 1))
        return true;
    }
    return false;
  }

  /// Whether a name that is declared can stand here: behind a type, or among enumerators.
  bool begins(std::size_t name) const {
    const tok::TokenKind before = tokens_[name - 1].kind;
    return before == tok::raw_identifier || before == tok::star || before == tok::amp || before == tok::greater ||
           before == tok::comma || before == tok::l_brace;
  }
  bool ends(std::size_t next) const {
    const tok::TokenKind kind = tokens_[next].kind;
    return kind == tok::equal || kind == tok::semi || kind == tok::comma || kind == tok::l_square ||
           kind == tok::l_brace || kind == tok::r_brace;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

} // namespace

std::string scope_of_default_argument(std::string_view text, std::size_t name) { return Scopes(text).of(name); }

} // namespace smem
