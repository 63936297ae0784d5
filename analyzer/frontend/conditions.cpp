#include "frontend/conditions.h"

#include <algorithm>
#include <cctype>

namespace smem {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)); };
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view &text) {
  const auto end = std::ranges::find_if_not(text, is_name);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text = trimmed(text.substr(word.size()));
  return word;
}

std::string_view without_parentheses(std::string_view text) {
  while (text.size() > 1 && text.front() == '(' && text.find(')') == text.size() - 1)
    text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

} // namespace

std::optional<MacroDefinition> definition_for(std::string_view directive) {
  directive = trimmed(directive.substr(0, std::min(directive.find("//"), directive.find("/*"))));
  const std::string_view kind = take_word(directive);
  if (kind != "ifdef" && kind != "if")
    return std::nullopt;
  std::string value = "1";
  directive = without_parentheses(directive);
  std::string_view name = take_word(directive);
  if (kind == "if" && name == "defined") {
    directive = without_parentheses(directive);
    name = take_word(directive);
  } else if (constexpr std::string_view kEquals = "=="; kind == "if" && directive.starts_with(kEquals)) {
    directive = trimmed(directive.substr(kEquals.size()));
    value = take_word(directive);
    if (!std::ranges::all_of(value, [](char c) { return std::isdigit(static_cast<unsigned char>(c)); }))
      return std::nullopt;
  }
  if (!directive.empty() || name.empty() || value.empty() || std::isdigit(static_cast<unsigned char>(name.front())) || name.starts_with("__"))
    return std::nullopt;
  return MacroDefinition{std::string(name), value};
}

} // namespace smem
