#include "syntax/comments.h"

#include <algorithm>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace smem {

std::vector<CommentLine> comment_lines(std::string_view source) {
  const std::string text(source); // the lexer wants a NUL behind its input
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.LineComment = options.CUDA = true;
  const char *begin = text.data(), *end = begin + text.size();
  clang::Lexer lexer(clang::SourceLocation(), options, begin, begin, end);
  lexer.SetCommentRetentionState(true);

  std::vector<CommentLine> found;
  unsigned line = 1;
  const char *line_start = begin, *counted = begin;
  const auto advance = [&](const char *to) {
    for (; counted < to; ++counted)
      if (*counted == '\n') {
        ++line;
        line_start = counted + 1;
      }
  };
  for (bool at_end = false; !at_end;) {
    clang::Token token;
    at_end = lexer.LexFromRawLexer(token); // true with the last token
    if (token.isNot(clang::tok::comment))
      continue;
    const char *stop = lexer.getBufferLocation(), *at = stop - token.getLength();
    const bool block = at + 1 < stop && at[1] == '*';
    if (block && stop - at >= 4 && stop[-1] == '/' && stop[-2] == '*')
      stop -= 2;
    at += 2;
    while (at <= stop) {
      const char *newline = std::find(at, stop, '\n');
      advance(at);
      CommentLine comment{line, static_cast<unsigned>(at - line_start) + 1, std::string(at, newline), false};
      if (!comment.text.empty() && comment.text.back() == '\r')
        comment.text.pop_back();
      const std::string_view before(line_start, static_cast<std::size_t>(at - line_start));
      comment.alone = before.find_first_not_of(" \t/*") == std::string_view::npos;
      found.push_back(std::move(comment));
      if (newline == stop)
        break;
      at = newline + 1;
    }
  }
  return found;
}

} // namespace smem
