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

/// What a compiler says of itself or of the system, of which there is only one. Projects have names such as `__CUDA`.
bool is_of_compiler(llvm::StringRef name) {
  const bool has_capitals = llvm::any_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
  return (name.starts_with("__") && (name.ends_with("__") || !has_capitals)) || name == "_MSC_VER" ||
         name == "_WIN32" || name == "_WIN64";
}

/// Where `sign` stands in no parentheses.
std::vector<llvm::StringRef> split_outside(llvm::StringRef text, llvm::StringRef sign) {
  std::vector<llvm::StringRef> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth == 0 && text.substr(at).starts_with(sign)) {
      parts.push_back(text.slice(begin, at).trim());
      begin = at + sign.size();
      at = begin - 1;
    }
  }
  parts.push_back(text.substr(begin).trim());
  return parts;
}

/// Without parentheses around all of it.
llvm::StringRef without_parentheses(llvm::StringRef text) {
  for (;;) {
    int depth = 0;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
      depth += (text[end] == '(') - (text[end] == ')');
      if (depth == 0)
        break;
    }
    if (text.size() < 2 || text.front() != '(' || end + 1 != text.size())
      return text;
    text = text.drop_front().drop_back().trim();
  }
}

/// `NAME`, `defined(NAME)`, `NAME == 2`.
std::optional<MacroDefinition> definition_of(llvm::StringRef condition) {
  llvm::StringRef rest = without_parentheses(condition), value = "1";
  llvm::StringRef name = take_word(rest);
  if (name == "defined") {
    rest = without_parentheses(rest);
    name = take_word(rest);
  } else if (rest.consume_front("==")) {
    rest = rest.ltrim();
    value = take_word(rest);
    if (!llvm::all_of(value, llvm::isDigit))
      return std::nullopt;
  }
  if (!rest.empty() || name.empty() || value.empty() || llvm::isDigit(name.front()) || is_of_compiler(name))
    return std::nullopt;
  return MacroDefinition{name.str(), value.str()};
}

/// A factor that holds whatever is defined.
bool is_of_nvcc(llvm::StringRef factor) {
  llvm::StringRef rest = without_parentheses(factor);
  llvm::StringRef name = take_word(rest);
  if (name == "defined") {
    rest = without_parentheses(rest);
    name = take_word(rest);
  }
  return rest.empty() && (name == "__CUDACC__" || name == "__NVCC__" || name == "__CUDA_ARCH__");
}

/// What a sum of alternatives asks for; false: nothing that can be defined.
bool add_definition_of(llvm::StringRef sum, std::vector<MacroDefinition> &definitions) {
  std::vector<MacroDefinition> choices;
  for (const llvm::StringRef choice : split_outside(without_parentheses(sum), "||"))
    if (std::optional<MacroDefinition> one = definition_of(choice))
      choices.push_back(std::move(*one));
  if (choices.empty())
    return false;
  const auto best = llvm::find_if(choices, is_for_cuda);
  definitions.push_back(best == choices.end() ? choices.front() : *best);
  return true;
}

} // namespace

bool is_for_cuda(const MacroDefinition &definition) {
  return llvm::StringRef(definition.name).contains_insensitive("CUDA");
}

std::vector<MacroDefinition> definitions_for(std::string_view directive) {
  const std::size_t comment = std::min(directive.find("//"), directive.find("/*"));
  llvm::StringRef rest = llvm::StringRef(directive).take_front(comment).trim();
  const llvm::StringRef kind = take_word(rest);
  std::vector<MacroDefinition> definitions;
  if (kind == "ifdef") {
    if (std::optional<MacroDefinition> one = definition_of(rest))
      definitions.push_back(std::move(*one));
  } else if (kind == "if" || kind == "elif") { // the conditions before it do not hold
    for (const llvm::StringRef factor : split_outside(rest, "&&"))
      if (!factor.starts_with("!") && !is_of_nvcc(factor) && !add_definition_of(factor, definitions))
        return {};
  }
  return definitions;
}

std::optional<MacroDefinition> definition_for(std::string_view directive) {
  std::vector<MacroDefinition> definitions = definitions_for(directive);
  return definitions.size() == 1 ? std::optional(std::move(definitions.front())) : std::nullopt;
}

} // namespace smem
