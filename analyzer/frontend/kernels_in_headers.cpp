#include "frontend/kernels_in_headers.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include "support/paths.h"

namespace smem {
namespace {

class KernelScanner {
public:
  KernelScanner(const std::vector<std::string> &folders, const std::set<std::string> &known, const ReadText &read)
      : folders_(folders), known_(known), read_(read) {
    language_.CPlusPlus = language_.LineComment = true;
  }

  /// A header as `<name>`, or as `"name"` in a file of that folder.
  bool has_kernel(const std::string &name, const std::string &beside = {}) {
    if (beside.empty() && !named_.insert(name).second)
      return false;
    if (!beside.empty())
      if (const std::optional<bool> found = look_at(beside + name))
        return *found;
    for (const std::string &folder : folders_)
      if (const std::optional<bool> found = look_at(folder + "/" + name))
        return *found;
    return false;
  }

private:
  /// Nothing if there is no such file.
  std::optional<bool> look_at(const std::string &path) {
    constexpr unsigned kDeepest = 200; // as Clang itself goes
    const std::string place = normalise_path(path);
    if (known_.contains(place) || entered_.contains(place))
      return false;
    const std::optional<std::string> text = read_(place);
    if (!text)
      return std::nullopt;
    entered_.insert(place);
    if (depth_ == kDeepest)
      return false;
    ++depth_;
    const bool included = includes_kernel(*text, place.substr(0, place.rfind('/') + 1));
    --depth_;
    return included || (has_any_word(*text) && uses_word(*text));
  }

  bool includes_kernel(std::string_view text, const std::string &folder) {
    constexpr std::string_view kBlanks = " \t";
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size())); };
      skip_blanks();
      if (!line.starts_with('#'))
        continue;
      line.remove_prefix(1);
      skip_blanks();
      if (!line.starts_with("include"))
        continue;
      const std::size_t open = line.find_first_of("<\"");
      if (open == std::string_view::npos)
        continue;
      const bool quoted = line[open] == '"';
      const std::size_t close = line.find(quoted ? '"' : '>', open + 1);
      if (close != std::string_view::npos &&
          has_kernel(std::string(line.substr(open + 1, close - open - 1)), quoted ? folder : std::string()))
        return true;
    }
    return false;
  }

  bool has_any_word(const std::string &text) const {
    return std::ranges::any_of(words_, [&](const std::string &word) { return text.find(word) != std::string::npos; });
  }

  /// Whether code has one of the words. Macros that have one become words, too.
  bool uses_word(const std::string &text) {
    clang::Lexer lexer(clang::SourceLocation(), language_, text.data(), text.data(), text.data() + text.size());
    clang::Token token;
    const auto is_word = [&] {
      return token.is(clang::tok::raw_identifier) && words_.contains(token.getRawIdentifier().str());
    };
    lexer.LexFromRawLexer(token);
    while (token.isNot(clang::tok::eof)) {
      if (token.isNot(clang::tok::hash) || !token.isAtStartOfLine()) {
        if (is_word())
          return true;
        lexer.LexFromRawLexer(token);
        continue;
      }
      std::string directive, name;
      bool has_word = false;
      for (unsigned i = 0; lexer.LexFromRawLexer(token), token.isNot(clang::tok::eof) && !token.isAtStartOfLine();
           ++i) {
        if (i < 2 && token.is(clang::tok::raw_identifier))
          (i == 0 ? directive : name) = token.getRawIdentifier().str();
        has_word |= i > 1 && is_word();
      }
      if (directive == "define" && has_word)
        words_.insert(name);
    }
    return false;
  }

  const std::vector<std::string> &folders_;
  const std::set<std::string> &known_;
  const ReadText &read_;
  clang::LangOptions language_;
  std::set<std::string> words_{"__global__"}, named_, entered_;
  unsigned depth_ = 0; ///< of headers in headers
};

} // namespace

bool seem_to_have_kernels(const std::vector<std::string> &names, const std::vector<std::string> &folders,
                          const std::set<std::string> &known, const ReadText &read) {
  KernelScanner scanner(folders, known, read);
  return std::ranges::any_of(names, [&](const std::string &name) { return scanner.has_kernel(name); });
}

} // namespace smem
