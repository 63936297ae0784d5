#include "frontend/missing_keywords.h"

#include <cctype>

namespace smem {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t end_of_name(std::string_view text, std::size_t name) {
  while (name < text.size() && is_name(text[name]))
    ++name;
  return name;
}

bool lacks_keyword(std::string_view text, std::size_t name) {
  if (name >= text.size() || !is_name(text[name]) || (name != 0 && is_name(text[name - 1])))
    return false;
  const std::size_t open = text.find_first_not_of(kSpace, end_of_name(text, name));
  const std::size_t before = text.substr(0, name).find_last_not_of(kSpace);
  if (open == std::string_view::npos || text[open] != '<' || before == std::string_view::npos)
    return false;
  const std::string_view access = text.substr(0, before + 1);
  return access.ends_with('.') || access.ends_with("->") || access.ends_with("::");
}

} // namespace

std::optional<std::size_t> place_of_template_keyword(std::string_view text, std::size_t place, std::string_view name) {
  if (lacks_keyword(text, place))
    return place;
  if (name.empty())
    return std::nullopt;
  const std::size_t limit = text.find_first_of(";{}", place);
  for (std::size_t at = text.find(name, place); at < limit; at = text.find(name, at + 1))
    if (end_of_name(text, at) == at + name.size() && lacks_keyword(text, at))
      return at;
  return std::nullopt;
}

} // namespace smem
