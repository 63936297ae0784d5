#include "frontend/unbalanced_bodies.h"

#include <vector>

#include "frontend/source_tokens.h"

namespace smem {
namespace {

constexpr std::string_view kFailed = "static assertion failed";

/// Of the body that begins at a brace; nothing if its brackets match.
std::optional<UnbalancedBody> unbalanced_from(const std::vector<SourceTokens::Token> &tokens, std::size_t brace) {
  // To its partner, or to the last statement before the limit.
  UnbalancedBody body;
  body.begin = tokens[brace].offset + 1;
  int braces = 0, parentheses = 0, brackets = 0;
  for (std::size_t i = brace; i < tokens.size() && (i == brace || braces != 0); ++i) {
    const clang::tok::TokenKind kind = tokens[i].kind;
    braces += (kind == clang::tok::l_brace) - (kind == clang::tok::r_brace);
    parentheses += (kind == clang::tok::l_paren) - (kind == clang::tok::r_paren);
    brackets += (kind == clang::tok::l_square) - (kind == clang::tok::r_square);
    if (kind == clang::tok::semi || kind == clang::tok::r_brace)
      body.end = tokens[i].offset + (kind == clang::tok::semi);
  }
  const bool matched = braces == 0 && parentheses == 0 && brackets == 0;
  return body.end <= body.begin || matched ? std::nullopt : std::optional(std::move(body));
}

bool begins_body(const std::vector<SourceTokens::Token> &tokens, std::size_t at) {
  return at != 0 && tokens[at].kind == clang::tok::l_brace && tokens[at - 1].kind == clang::tok::r_paren;
}

} // namespace

std::optional<UnbalancedBody> unbalanced_body_of(std::string_view text, std::size_t head, std::size_t limit) {
  const std::vector<SourceTokens::Token> tokens = SourceTokens(text).read(head, limit);
  for (std::size_t at = 0; at < tokens.size(); ++at)
    if (begins_body(tokens, at))
      return unbalanced_from(tokens, at);
  return std::nullopt;
}

std::optional<UnbalancedBody> unbalanced_body(std::string_view text, std::size_t error, std::size_t limit) {
  const std::vector<SourceTokens::Token> tokens = SourceTokens(text).read(0, limit);
  // The outermost brace around the error that parameters stand before.
  std::vector<std::size_t> open; // indices
  std::size_t at = 0;
  for (; at < tokens.size() && tokens[at].offset < error; ++at)
    if (tokens[at].kind == clang::tok::l_brace)
      open.push_back(at);
    else if (tokens[at].kind == clang::tok::r_brace && !open.empty())
      open.pop_back();
  for (const std::size_t brace : open)
    if (begins_body(tokens, brace))
      return unbalanced_from(tokens, brace);
  return std::nullopt;
}

std::string without_body(std::string_view text, const UnbalancedBody &body, std::string_view mark) {
  std::string result(text.substr(0, body.begin));
  result += " static_assert(sizeof(char) == 2, \"";
  result += mark;
  result += "\");";
  for (const char c : text.substr(body.begin, body.end - body.begin))
    if (c == '\n')
      result += c;
  const bool closed = body.end < text.size() && text[body.end] == '}';
  if (!closed)
    result += '}';
  return result.append(text.substr(body.end));
}

void restore_error(Diagnostic &diagnostic, const UnbalancedBody &body, std::string_view mark) {
  const std::size_t begin = diagnostic.message.find(kFailed), place = diagnostic.message.find(mark);
  if (begin == std::string::npos || place == std::string::npos || place < begin)
    return;
  diagnostic.message.replace(begin, place + mark.size() - begin, body.error.message);
  diagnostic.location = body.error.location;
}

} // namespace smem
