#include "syntax/texts.h"

#include <cctype>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace smem {

namespace {

/// Joins lines, drops comments. White space survives as one blank, string literals untouched.
std::string fold(llvm::StringRef text) {
  std::string folded;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      folded += c;
      if (c == '\\' && i + 1 < text.size())
        folded += text[++i];
      else if (c == quote)
        quote = 0;
    } else if (c == '/' && text.substr(i).starts_with("//")) {
      const std::size_t end = text.find('\n', i);
      i = end == llvm::StringRef::npos ? text.size() : end - 1;
    } else if (c == '/' && text.substr(i).starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == llvm::StringRef::npos ? text.size() : end + 1;
    } else if (std::isspace(static_cast<unsigned char>(c)) ||
               (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n')) {
      if (!folded.empty() && folded.back() != ' ')
        folded += ' ';
    } else {
      // A digit separator (1'000) is no quote.
      const bool separator = c == '\'' && !folded.empty() && std::isxdigit(static_cast<unsigned char>(folded.back()));
      if ((c == '"' || c == '\'') && !separator)
        quote = c;
      folded += c;
    }
  }
  while (!folded.empty() && folded.back() == ' ')
    folded.pop_back();
  return folded;
}

} // namespace

std::string source_text(clang::SourceRange range, const clang::ASTContext &context) {
  if (range.isInvalid())
    return {};
  const clang::SourceManager &sources = context.getSourceManager();
  // Both ends in the file that the user wrote; for a macro that is its whole invocation.
  const clang::CharSourceRange expanded = sources.getExpansionRange(range);
  return fold(clang::Lexer::getSourceText(expanded, sources, context.getLangOpts()));
}

std::string spelled_text(clang::SourceRange range, const clang::ASTContext &context) {
  if (range.isInvalid())
    return {};
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::LangOptions &language = context.getLangOpts();
  const auto text = [&](clang::CharSourceRange characters) {
    return characters.isValid() ? fold(clang::Lexer::getSourceText(characters, sources, language)) : std::string();
  };
  // In an argument of a macro, or its whole expansion.
  if (std::string there =
          text(clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), sources, language));
      !there.empty())
    return there;
  const clang::SourceLocation begin = sources.getSpellingLoc(range.getBegin()),
                              end = sources.getSpellingLoc(range.getEnd());
  if (sources.isWrittenInSameFile(begin, end) && sources.getFileOffset(begin) <= sources.getFileOffset(end))
    if (std::string in_macro = text(clang::CharSourceRange::getTokenRange(begin, end)); !in_macro.empty())
      return in_macro;
  return source_text(range, context);
}

} // namespace smem
