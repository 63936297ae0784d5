#include "frontend/conditions.h"

#include <algorithm>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

llvm::StringRef take_word(llvm::StringRef &text) {
  const llvm::StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  text = text.drop_front(word.size()).ltrim();
  return word;
}

/// What a compiler says of itself or of the system, of which there is only one.
bool is_of_compiler(llvm::StringRef name) {
  return name.starts_with("__") || name == "_MSC_VER" || name == "_WIN32" || name == "_WIN64";
}

llvm::StringRef without_parentheses(llvm::StringRef text) {
  while (text.size() > 1 && text.front() == '(' && text.find(')') == text.size() - 1)
    text = text.drop_front().drop_back().trim();
  return text;
}

} // namespace

bool is_for_cuda(const MacroDefinition &definition) {
  return llvm::StringRef(definition.name).contains_insensitive("CUDA");
}

std::optional<MacroDefinition> definition_for(std::string_view directive) {
  const std::size_t comment = std::min(directive.find("//"), directive.find("/*"));
  llvm::StringRef rest = llvm::StringRef(directive).take_front(comment).trim();
  llvm::StringRef kind = take_word(rest);
  if (kind == "elif") // the conditions before it do not hold
    kind = "if";
  if (kind != "ifdef" && kind != "if")
    return std::nullopt;
  llvm::StringRef value = "1";
  rest = without_parentheses(rest);
  llvm::StringRef name = take_word(rest);
  if (kind == "if" && name == "defined") {
    rest = without_parentheses(rest);
    name = take_word(rest);
  } else if (kind == "if" && rest.consume_front("==")) {
    rest = rest.ltrim();
    value = take_word(rest);
    if (!llvm::all_of(value, llvm::isDigit))
      return std::nullopt;
  }
  if (!rest.empty() || name.empty() || value.empty() || llvm::isDigit(name.front()) || is_of_compiler(name))
    return std::nullopt;
  return MacroDefinition{name.str(), value.str()};
}

} // namespace smem
