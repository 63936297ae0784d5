#include "syntax/kernel_definitions.h"

#include <algorithm>
#include <string>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace smem {

unsigned first_kernel_definition(std::string_view source) {
  const std::string text(source); // the lexer wants a NUL behind its input
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.LineComment = options.CUDA = true;
  clang::Lexer lexer(clang::SourceLocation(), options, text.data(), text.data(), text.data() + text.size());
  bool in_directive = false;
  unsigned pending = 0; // the line of a `__global__` whose body or semicolon is still to come
  for (bool at_end = false; !at_end;) {
    clang::Token token;
    at_end = lexer.LexFromRawLexer(token); // true with the last token
    if (token.isAtStartOfLine())
      in_directive = token.is(clang::tok::hash);
    if (in_directive)
      continue;
    if (token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == "__global__") {
      const char *at = lexer.getBufferLocation();
      pending = 1 + static_cast<unsigned>(std::count(text.data(), at, '\n'));
    } else if (token.is(clang::tok::semi)) {
      pending = 0;
    } else if (token.is(clang::tok::l_brace) && pending != 0) {
      return pending;
    }
  }
  return 0;
}

} // namespace smem
