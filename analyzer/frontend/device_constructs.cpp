#include "frontend/device_constructs.h"

#include <algorithm>
#include <cctype>

namespace smem {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t skip_blank(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlank, std::min(at, text.size())), text.size());
}

std::size_t behind_name(std::string_view text, std::size_t at) {
  while (at < text.size() && is_name(text[at]))
    ++at;
  return at;
}

/// Where the arguments of a template open that end before `end`.
std::size_t open_of_angles(std::string_view text, std::size_t end) {
  int angles = 0, brackets = 0;
  while (end != 0) {
    const char c = text[--end];
    brackets += (c == ')' || c == ']') - (c == '(' || c == '[');
    if (brackets == 0)
      angles += (c == '>') - (c == '<');
    if (angles == 0)
      break;
  }
  return end;
}

/// The name that is launched by the `<<<` at `open`.
std::size_t launched_name(std::string_view text, std::size_t open) {
  std::size_t end = text.substr(0, open).find_last_not_of(kBlank) + 1;
  if (end != 0 && text[end - 1] == '>')
    end = text.substr(0, open_of_angles(text, end)).find_last_not_of(kBlank) + 1;
  while (end != 0 && is_name(text[end - 1]))
    --end;
  return end;
}

/// Where what a name is qualified with begins: `a::b<3>::` of `a::b<3>::name`.
std::size_t begin_of_qualified(std::string_view text, std::size_t name) {
  for (std::size_t begin = name;;) {
    const std::size_t colons = text.substr(0, begin).find_last_not_of(kBlank);
    if (colons == std::string_view::npos || colons == 0 || text.substr(colons - 1, 2) != "::")
      return begin;
    std::size_t end = colons - 1;
    if (end != 0 && text[end - 1] == '>')
      end = open_of_angles(text, end);
    begin = end;
    while (begin != 0 && is_name(text[begin - 1]))
      --begin;
    if (begin == end) // `::name`
      return begin;
  }
}

/// Behind the arguments that open at `open`; npos: they do not end, or are none of a template.
std::size_t behind_angles(std::string_view text, std::size_t open) {
  int angles = 0, brackets = 0;
  for (std::size_t at = open; at < text.size() && text[at] != ';' && text[at] != '{'; ++at) {
    brackets += (text[at] == '(' || text[at] == '[') - (text[at] == ')' || text[at] == ']');
    if (brackets == 0)
      angles += (text[at] == '<') - (text[at] == '>');
    if (angles == 0)
      return at + 1;
  }
  return std::string_view::npos;
}

/// Where `>>>` ends the configuration that begins at `at`.
std::size_t end_of_configuration(std::string_view text, std::size_t at) {
  for (int brackets = 0; at < text.size() && text[at] != ';'; ++at) {
    brackets += (text[at] == '(' || text[at] == '[' || text[at] == '{') -
                (text[at] == ')' || text[at] == ']' || text[at] == '}');
    if (brackets == 0 && text.substr(at, 3) == ">>>")
      return at;
  }
  return std::string_view::npos;
}

} // namespace

std::vector<SourceEdit> launch_of_device_code(std::string_view text, std::size_t name) {
  constexpr std::string_view kOpen = "<<<", kClose = ">>>";
  if (text.substr(name, kOpen.size()) == kOpen) // of a template's instantiation the error is there
    name = launched_name(text, name);
  std::size_t at = skip_blank(text, behind_name(text, name));
  if (at < text.size() && text[at] == '<' && text.substr(at, kOpen.size()) != kOpen) {
    at = behind_angles(text, at);
    at = at == std::string_view::npos ? text.size() : skip_blank(text, at);
  }
  if (text.substr(at, kOpen.size()) != kOpen)
    return {};
  const std::size_t close = end_of_configuration(text, at + kOpen.size());
  if (close == std::string_view::npos)
    return {};
  const std::size_t begin = begin_of_qualified(text, name);
  // Lines stay what they are.
  const std::string lines(static_cast<std::size_t>(std::ranges::count(text.substr(begin, at - begin), '\n')), '\n');
  return {{begin, at + kOpen.size(), "smem_lint_device_launch" + lines + "("}, {close, close + kClose.size(), ")"}};
}

std::vector<SourceEdit> extents_of_members(std::string_view text, std::size_t name) {
  std::vector<SourceEdit> edits;
  std::size_t at = skip_blank(text, behind_name(text, name));
  while (at < text.size() && text[at] == '[') {
    const std::size_t object = skip_blank(text, at + 1), end = behind_name(text, object);
    const bool arrow = text.substr(end, 2) == "->";
    const std::size_t member = end + (arrow ? 2 : 1), close = skip_blank(text, behind_name(text, member));
    if (end == object || (!arrow && text.substr(end, 1) != ".") || text.substr(close, 1) != "]")
      return {};
    const std::string type =
        "std::remove_reference<decltype(" + std::string(text.substr(object, end - object)) + ")>::type";
    edits.push_back({object, member, (arrow ? "std::remove_pointer<typename " + type + ">::type" : type) + "::"});
    at = skip_blank(text, close + 1);
  }
  return edits;
}

} // namespace smem
