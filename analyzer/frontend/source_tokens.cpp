#include "frontend/source_tokens.h"

#include <clang/Lex/Lexer.h>

namespace smem {

SourceTokens::SourceTokens(std::string_view text) : begin_(text.data()), end_(text.data() + text.size()) {
  language_.CPlusPlus = language_.CPlusPlus11 = language_.CPlusPlus14 = language_.CPlusPlus17 = true;
  language_.CUDA = true;
}

std::vector<SourceTokens::Token> SourceTokens::read(std::size_t from, std::size_t limit) const {
  clang::Lexer lexer(clang::SourceLocation(), language_, begin_, begin_ + from, end_);
  struct Condition {
    bool around = false, left_out = false, taken = false; ///< around: what it stands in is left out
  };
  std::vector<Token> tokens;
  std::vector<Condition> conditions;
  clang::Token token;
  enum class Directive { None, Name, If, Rest } directive = Directive::None;
  for (bool last = false; !last;) {
    last = lexer.LexFromRawLexer(token);
    const auto offset = static_cast<std::size_t>(lexer.getBufferLocation() - begin_) - token.getLength();
    if (offset >= limit || token.is(clang::tok::eof))
      break;
    if (token.isAtStartOfLine()) {
      directive = token.is(clang::tok::hash) ? Directive::Name : Directive::None;
    } else if (directive == Directive::Name) {
      directive = Directive::Rest;
      const llvm::StringRef name = token.is(clang::tok::raw_identifier) ? token.getRawIdentifier() : llvm::StringRef();
      if (name.starts_with("if")) {
        const bool around = !conditions.empty() && conditions.back().left_out;
        conditions.push_back({around, around, !around});
        directive = Directive::If;
      } else if (name.starts_with("el") && !conditions.empty()) {
        conditions.back().left_out = conditions.back().around || conditions.back().taken;
        conditions.back().taken = true;
      } else if (name == "endif" && !conditions.empty()) {
        conditions.pop_back();
      }
    } else if (directive == Directive::If) {
      directive = Directive::Rest;
      if (token.is(clang::tok::numeric_constant) && token.getLength() == 1 && begin_[offset] == '0')
        conditions.back() = {conditions.back().around, true, false};
    }
    if (directive == Directive::None && (conditions.empty() || !conditions.back().left_out))
      tokens.push_back({token.getKind(), offset, token.getLength()});
  }
  return tokens;
}

} // namespace smem
