#include "frontend/skipped_declarations.h"

#include <algorithm>
#include <array>

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/ArrayRef.h>

#include "frontend/known_headers.h"
#include "syntax/locations.h"

namespace smem {
namespace {

bool is_word(const clang::Token &token, llvm::StringRef word) {
  return token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == word;
}

/// Words that stand before a name that is called, not declared.
bool precedes_call(const clang::Token &token) {
  return is_word(token, "return") || is_word(token, "else") || is_word(token, "do") || is_word(token, "case") ||
         is_word(token, "new") || is_word(token, "throw");
}

/// Whether a name behind `before`, with `after` behind itself, is declared there.
bool declares(const clang::Token &before, const clang::Token &after, bool in_typedef) {
  for (const llvm::StringRef word : {"struct", "class", "union", "enum", "using", "define"})
    if (is_word(before, word))
      return true;
  if (in_typedef && after.is(clang::tok::semi))
    return true;
  return after.is(clang::tok::l_paren) && ((before.is(clang::tok::raw_identifier) && !precedes_call(before)) ||
                                           before.isOneOf(clang::tok::greater, clang::tok::star, clang::tok::amp));
}

} // namespace

std::string directive_at(clang::SourceLocation hash, const clang::SourceManager &sources) {
  const auto [file, offset] = sources.getDecomposedLoc(hash);
  llvm::StringRef rest = sources.getBufferData(file).drop_front(offset).ltrim("# \t");
  std::string line;
  for (;;) {
    const auto [first, after] = rest.split('\n');
    line += first.rtrim("\r\\");
    if (!first.rtrim('\r').ends_with("\\"))
      return line;
    line += ' ';
    rest = after;
  }
}

std::optional<UndeclaredName> undeclared_name(std::string_view error) {
  constexpr std::array<llvm::StringRef, 5> kBefore{"undeclared identifier '", "unknown type name '", "no type named '",
                                                   "no template named '", "no member named '"};
  // The specialisation that a member is defined of.
  constexpr llvm::StringRef kSpecialisation = "nested name specifier '";
  if (llvm::StringRef message = error; message.consume_front(kSpecialisation) && message.contains("does not refer"))
    return UndeclaredName{message.take_until([](char c) { return c == '<' || c == ':' || c == '\''; }).str()};
  for (const llvm::StringRef before : kBefore) {
    const llvm::StringRef message = error;
    const std::size_t at = message.find(before);
    if (at == llvm::StringRef::npos)
      continue;
    const auto [name, rest] = message.drop_front(at + before.size()).split('\'');
    // A member of a class is declared where the class is.
    if (before.starts_with("no member") && !rest.starts_with(" in namespace"))
      return std::nullopt;
    return UndeclaredName{name.str(), rest.starts_with(" in namespace 'std'")};
  }
  return std::nullopt;
}

std::vector<std::string> undeclared_names(const std::vector<SourceError> &errors) {
  std::vector<std::string> names;
  for (const SourceError &error : errors)
    if (const std::optional<UndeclaredName> one = undeclared_name(error.message);
        one && std::ranges::find(names, one->name) == names.end())
      names.push_back(one->name);
  return names;
}

/// More conditions than any header has that a person wrote: each is searched for each name.
constexpr std::size_t kMostRanges = 1000;

std::set<std::string> declared_names(std::string_view text, const std::set<std::string> &names,
                                     const clang::LangOptions &language) {
  std::set<std::string> found;
  for (const std::string &name : names)
    if (const std::string_view header = header_that_declares(name, /*in_std=*/false);
        !header.empty() && (text.find("#include <" + std::string(header) + ">") != std::string_view::npos ||
                            text.find("#include \"" + std::string(header) + "\"") != std::string_view::npos))
      found.insert(name);
  if (std::ranges::none_of(names, [&](const std::string &name) { return text.find(name) != std::string_view::npos; }))
    return found;
  const std::string terminated(text); // the lexer reads up to a zero
  clang::Lexer lexer(clang::SourceLocation(), language, terminated.data(), terminated.data(),
                     terminated.data() + terminated.size());
  clang::Token before, name, after;
  before.startToken();
  name.startToken();
  bool in_typedef = false;
  for (bool end = false; !end;) {
    end = lexer.LexFromRawLexer(after);
    if (name.is(clang::tok::raw_identifier) && names.contains(name.getRawIdentifier().str()) &&
        declares(before, after, in_typedef))
      found.insert(name.getRawIdentifier().str());
    in_typedef = (in_typedef || is_word(after, "typedef")) && !after.is(clang::tok::semi);
    before = name;
    name = after;
  }
  return found;
}

namespace {

/// Where the branches of a chain begin that is left out as a whole, `#if`, `#elif`, …: at their `#`.
std::vector<std::size_t> branches_of(llvm::StringRef text) {
  std::vector<std::size_t> begins{0};
  int depth = 0;
  for (std::size_t line = 0; line != llvm::StringRef::npos && line < text.size();) {
    const std::size_t hash = text.find_first_not_of(" \t", line);
    if (hash != llvm::StringRef::npos && text[hash] == '#') {
      const llvm::StringRef word = text.drop_front(hash + 1).ltrim(" \t");
      if (word.starts_with("el") && depth == 1)
        begins.push_back(hash);
      depth += word.starts_with("if") ? 1 : word.starts_with("endif") ? -1 : 0;
    }
    line = text.find('\n', line);
    line += line == llvm::StringRef::npos ? 0 : 1;
  }
  return begins;
}

} // namespace

std::vector<SkippedDeclarations> find_skipped_declarations(const std::vector<clang::SourceRange> &ranges,
                                                           const std::vector<std::string> &names,
                                                           const clang::SourceManager &sources,
                                                           const clang::LangOptions &language) {
  std::vector<SkippedDeclarations> found;
  const std::set<std::string> wanted(names.begin(), names.end());
  const auto look_at = [&](clang::SourceLocation hash, llvm::StringRef text) {
    const std::string directive = directive_at(hash, sources);
    const auto definition = definition_for(directive);
    const bool of_chain = directive.starts_with("el"); // where compilers are told apart by their own words, too
    if (!definition || (of_chain && definition->name.starts_with("__")))
      return;
    const std::set<std::string> declared = declared_names(text, wanted, language);
    if (declared.empty() && !is_for_cuda(*definition))
      return;
    const auto same = std::ranges::find(found, *definition, &SkippedDeclarations::definition);
    const auto first = std::ranges::find_if(names, [&](const std::string &name) { return declared.contains(name); });
    if (same == found.end()) {
      found.push_back({*definition, to_location(hash, sources), first == names.end() ? std::string() : *first,
                       declared.size(), declared});
    } else if (same->name.empty() && !declared.empty()) {
      *same = {*definition, to_location(hash, sources), *first, declared.size(), declared};
    } else {
      same->names += declared.size();
      same->declared.insert(declared.begin(), declared.end());
    }
  };
  for (const clang::SourceRange &range : llvm::ArrayRef(ranges).take_front(kMostRanges)) {
    const auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
    const auto [last_file, end] = sources.getDecomposedLoc(range.getEnd());
    if (file != last_file || end <= begin)
      continue;
    const llvm::StringRef text = sources.getBufferData(file).slice(begin, end);
    const std::vector<std::size_t> branches = branches_of(text);
    for (std::size_t b = 0; b < branches.size(); ++b)
      look_at(range.getBegin().getLocWithOffset(static_cast<int>(branches[b])),
              text.slice(branches[b], b + 1 < branches.size() ? branches[b + 1] : text.size()));
  }
  // A build of CUDA files is for CUDA, where there is one for other devices, too.
  std::ranges::stable_sort(found, std::ranges::greater(), [](const SkippedDeclarations &one) {
    return std::pair(one.names, is_for_cuda(one.definition));
  });
  return found;
}

} // namespace smem
