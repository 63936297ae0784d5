#include "frontend/leading_headers.h"

#include <algorithm>
#include <set>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include "support/paths.h"

namespace smem {
namespace {

constexpr unsigned kDeepest = 200; // as Clang itself goes

class Scanner {
public:
  explicit Scanner(const ReadText &read) : read_(read) { language_.CPlusPlus = language_.LineComment = true; }

  /// Whether the file has nothing else.
  bool scan(const std::string &path, bool is_header) {
    if (depth_ == kDeepest)
      return false;
    const std::string place = normalise_path(path);
    if (!entered_.insert(place).second)
      return true; // once
    const std::optional<std::string> text = read_(place);
    if (!text)
      return false;
    clang::Lexer lexer(clang::SourceLocation(), language_, text->data(), text->data(), text->data() + text->size());
    bool once = !is_header, ends = false;
    std::string guard;
    clang::Token token;
    lexer.LexFromRawLexer(token);
    while (token.is(clang::tok::hash) && token.isAtStartOfLine() && !ends) {
      const std::string directive = word(lexer);
      if (directive == "pragma" && guard.empty()) {
        if (word(lexer) != "once")
          return false;
        once = true;
      } else if (directive == "ifndef" && !once && guard.empty()) {
        guard = word(lexer);
        if (std::ranges::find(found.guards, guard) != found.guards.end())
          return false; // what is in between is not read, and what comes after may be
      } else if (directive == "define" && !once && !guard.empty()) {
        if (word(lexer) != guard)
          return false;
        once = true;
        found.guards.push_back(guard);
      } else if (directive == "endif" && once && !guard.empty()) {
        ends = true;
      } else if (directive != "include" || !once || !include(lexer, folder_of(place))) {
        return false;
      }
      lexer.LexFromRawLexer(token);
      if (!token.isAtStartOfLine() && token.isNot(clang::tok::eof))
        return false;
    }
    return once && token.is(clang::tok::eof) && ends == !guard.empty();
  }

  LeadingHeaders found;

private:
  static std::string folder_of(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

  /// The next token of the line, if it is a word.
  static std::string word(clang::Lexer &lexer) {
    clang::Token token;
    lexer.LexFromRawLexer(token);
    return token.is(clang::tok::raw_identifier) && !token.isAtStartOfLine() ? token.getRawIdentifier().str() : "";
  }

  /// Whether what comes after it is still at the beginning.
  bool include(clang::Lexer &lexer, const std::string &folder) {
    clang::Token token;
    lexer.LexIncludeFilename(token);
    if (token.isNot(clang::tok::header_name) || token.getLength() < 3)
      return false;
    const std::string name(token.getLiteralData() + 1, token.getLength() - 2);
    if (*token.getLiteralData() == '"') {
      ++depth_;
      const bool whole = scan(folder + name, /*is_header=*/true);
      --depth_;
      return whole;
    }
    if (named_.insert(name).second)
      found.names.push_back(name);
    return true;
  }

  const ReadText &read_;
  clang::LangOptions language_;
  std::set<std::string> entered_, named_;
  unsigned depth_ = 0; ///< of headers in headers
};

} // namespace

LeadingHeaders leading_headers(const std::string &path, const ReadText &read) {
  Scanner scanner(read);
  scanner.scan(path, /*is_header=*/false);
  return std::move(scanner.found);
}

} // namespace smem
