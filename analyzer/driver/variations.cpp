#include "driver/variations.h"

#include "plan/launch_spec.h"
#include "support/words.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <string_view>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

constexpr std::size_t kMostVariants = 256;

std::string trimmed(const std::string &text) { return llvm::StringRef(text).trim().str(); }

bool is_name(const std::string &text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) && std::ranges::all_of(text, is_word);
}

/// At commas outside of brackets.
std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string &part : parts)
    part = trimmed(part);
  return parts;
}

/// `16..64 step 16`; nullopt: it is no range.
std::optional<std::vector<std::string>> range(const std::string &text, std::string &error) {
  static const std::regex pattern(R"(\s*(\d{1,9})\s*\.\.\s*(\d{1,9})(?:\s+step\s+(\d{1,9}))?\s*)");
  std::smatch match;
  if (!std::regex_match(text, match, pattern))
    return std::nullopt;
  const unsigned long first = std::stoul(match[1]), last = std::stoul(match[2]),
                      step = match[3].matched ? std::stoul(match[3]) : 1;
  std::vector<std::string> values;
  if (step == 0 || first > last)
    error = "'" + text + "' is an empty range";
  else if ((last - first) / step >= kMostVariants)
    error = "'" + text + "' has more than " + std::to_string(kMostVariants) + " values";
  else
    for (unsigned long value = first; value <= last; value += step)
      values.push_back(std::to_string(value));
  return values;
}

std::vector<std::string> values_of(const std::string &text, std::string &error) {
  std::vector<std::string> values;
  for (const std::string &part : split(text)) {
    if (part.empty())
      error = "a value is missing";
    else if (const auto several = range(part, error))
      values.insert(values.end(), several->begin(), several->end());
    else
      values.push_back(part);
  }
  return values;
}

/// `kernel:block=(32,8) grid=(64,64)`: the first word may have several values.
std::optional<Variation> launch_variation(const std::string &text, std::string &error) {
  static const std::regex pattern(R"(((?:[^=\s]+:)?(?:block|grid|dynamic))=(\S+)(.*))");
  std::smatch match;
  if (!std::regex_match(text, match, pattern))
    return std::nullopt;
  Variation variation{Variation::Kind::Launch, match[1], values_of(match[2], error), trimmed(match[3])};
  for (const std::string &value : variation.values)
    if (const ParsedWish parsed = parse_launch_option(variation.name + "=" + value + " " + variation.rest);
        !parsed.error.empty() && error.empty())
      error = parsed.error;
  return variation;
}

/// Where, in code: not in comments and strings, which keep their length.
std::string code_of(const std::string &text) {
  std::string code = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n')
        code[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      blank(i, end);
      i = end - 1;
    } else if (text[i] == '"') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      blank(i + 1, end);
      i = end;
    }
  }
  return code;
}

/// Where `name` stands as a word, from `from` on.
std::size_t find_word(std::string_view code, std::string_view name, std::size_t from = 0) {
  for (std::size_t at = code.find(name, from); at != std::string_view::npos; at = code.find(name, at + 1))
    if ((at == 0 || !is_word(code[at - 1])) && (at + name.size() == code.size() || !is_word(code[at + name.size()])))
      return at;
  return std::string_view::npos;
}

bool has_word(std::string_view code, std::string_view name) { return find_word(code, name) != std::string_view::npos; }

std::size_t after_blanks(std::string_view code, std::size_t at) {
  return std::min(code.find_first_not_of(" \t\r\n", at), code.size());
}

struct Span {
  std::size_t begin = 0, end = 0;
};

/// What lies between a place and the end of the statement before it.
Span statement_before(std::string_view code, std::size_t at) {
  const std::size_t end = at == 0 ? std::string_view::npos : code.find_last_of(";{}", at - 1);
  return {end == std::string_view::npos ? 0 : end + 1, at};
}

/// The value of `#define NAME value`, where the name stands there.
std::optional<Span> defined_value(std::string_view code, std::size_t at, std::size_t length) {
  const std::size_t line = at == 0 ? 0 : code.rfind('\n', at - 1) + 1; // npos + 1 is 0
  std::string_view before = code.substr(line, at - line);
  const std::size_t hash = before.find_first_not_of(" \t");
  if (hash == std::string_view::npos || before[hash] != '#' ||
      llvm::StringRef(before.substr(hash + 1)).trim() != "define")
    return std::nullopt;
  std::size_t begin = at + length, end = std::min(code.find('\n', begin), code.size());
  if (begin == end || (code[begin] != ' ' && code[begin] != '\t')) // one with arguments, or without a value
    return std::nullopt;
  begin = code.find_first_not_of(" \t", begin);
  while (end > begin && (code[end - 1] == ' ' || code[end - 1] == '\t' || code[end - 1] == '\r'))
    --end;
  return begin < end && code[end - 1] != '\\' ? std::optional(Span{begin, end}) : std::nullopt;
}

/// The value of `constexpr int A = 1, NAME = 32;` and `enum { NAME = 32 }`, where the name stands there.
std::optional<Span> declared_value(std::string_view code, std::size_t at, std::size_t length) {
  const std::size_t sign = after_blanks(code, at + length);
  if (sign + 1 >= code.size() || code[sign] != '=' || code[sign + 1] == '=')
    return std::nullopt;
  const Span before = statement_before(code, at);
  const std::string_view words = code.substr(before.begin, before.end - before.begin);
  bool constant =
      words.find('(') == std::string_view::npos && (has_word(words, "const") || has_word(words, "constexpr"));
  if (!constant && before.begin != 0 && code[before.begin - 1] == '{') {
    const Span head = statement_before(code, before.begin - 1);
    constant = has_word(code.substr(head.begin, head.end - head.begin), "enum");
  }
  if (!constant)
    return std::nullopt;
  int depth = 0;
  const std::size_t begin = after_blanks(code, sign + 1);
  std::size_t end = begin;
  for (; end < code.size(); ++end) {
    const char c = code[end];
    if (depth == 0 && (c == ',' || c == ';' || c == '}'))
      break;
    depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
  }
  while (end > begin && std::isspace(static_cast<unsigned char>(code[end - 1])))
    --end;
  return begin < end ? std::optional(Span{begin, end}) : std::nullopt;
}

/// The dimensions of `__shared__ T NAME[..][..]`, what stands between the brackets, where the name stands there.
std::vector<Span> dimensions(std::string_view code, std::size_t at, std::size_t length) {
  const Span before = statement_before(code, at);
  if (!has_word(code.substr(before.begin, before.end - before.begin), "__shared__"))
    return {};
  std::vector<Span> found;
  std::size_t open = after_blanks(code, at + length);
  while (open < code.size() && code[open] == '[') {
    int depth = 0;
    std::size_t close = open;
    for (; close < code.size(); ++close)
      if (depth += code[close] == '[' ? 1 : code[close] == ']' ? -1 : 0; depth == 0)
        break;
    found.push_back({open + 1, close});
    open = after_blanks(code, close + 1);
  }
  const bool declared = open < code.size() && (code[open] == ';' || code[open] == ',' || code[open] == '=');
  return declared ? found : std::vector<Span>();
}

/// Puts `value` where `place` says for a name; how often.
template <class Place>
std::size_t replace_in(std::string &text, const std::string &name, const std::string &value, Place &&place) {
  const std::string code = code_of(text);
  std::string out;
  std::size_t from = 0, count = 0;
  for (std::size_t at = find_word(code, name); at != std::string::npos; at = find_word(code, name, at + 1))
    if (const std::optional<Span> span = place(code, at, name.size()); span && span->begin >= from) {
      out += text.substr(from, span->begin - from) + value;
      from = span->end;
      ++count;
    }
  text = out + text.substr(from);
  return count;
}

std::size_t set_constant(std::string &text, const std::string &name, const std::string &value) {
  return replace_in(text, name, value, [](std::string_view code, std::size_t at, std::size_t length) {
    const std::optional<Span> defined = defined_value(code, at, length);
    return defined ? defined : declared_value(code, at, length);
  });
}

std::size_t set_pitch(std::string &text, const std::string &name, const std::string &value) {
  return replace_in(text, name, value, [](std::string_view code, std::size_t at, std::size_t length) {
    const std::vector<Span> all = dimensions(code, at, length);
    return all.size() < 2 ? std::nullopt : std::optional(all.back());
  });
}

bool is_flat(const std::string &text, const std::string &name) {
  const std::string code = code_of(text);
  for (std::size_t at = find_word(code, name); at != std::string::npos; at = find_word(code, name, at + 1))
    if (dimensions(code, at, name.size()).size() == 1)
      return true;
  return false;
}

/// `#ifdef NAME`, `#if NAME > 3`.
bool is_asked_for(const std::string &text, const std::string &name) {
  const std::string code = code_of(text);
  for (std::size_t at = find_word(code, name); at != std::string::npos; at = find_word(code, name, at + 1)) {
    const std::size_t line = at == 0 ? 0 : code.rfind('\n', at - 1) + 1;
    const llvm::StringRef before = llvm::StringRef(code).substr(line, at - line).trim();
    if (before.starts_with("#") && before.drop_front().ltrim().starts_with("if"))
      return true;
  }
  return false;
}

std::string apply(const Variation &variation, const std::string &value, DriverOptions &options,
                  std::map<std::string, std::string> &texts) {
  if (variation.kind == Variation::Kind::Launch) {
    options.wishes.push_back(
        parse_launch_option(variation.name + "=" + value + (variation.rest.empty() ? "" : " " + variation.rest)).wish);
    return {};
  }
  const bool pitch = variation.kind == Variation::Kind::Pitch;
  std::size_t edits = 0;
  bool asked = false, flat = false;
  for (auto &[path, text] : texts) {
    flat = flat || (pitch && is_flat(text, variation.name));
    asked = asked || (!pitch && is_asked_for(text, variation.name));
    edits += pitch ? set_pitch(text, variation.name, value) : set_constant(text, variation.name, value);
  }
  if (edits != 0)
    return {};
  if (pitch)
    return flat ? "'" + variation.name + "' has one dimension: its pitch stands in its indices"
                : "none of the files declares a shared array '" + variation.name + "' with two dimensions";
  if (asked) {
    options.flags_after.push_back("-D" + variation.name + "=" + value);
    return {};
  }
  const ParsedWish parsed = parse_set_option(variation.name + "=" + value);
  if (!parsed.error.empty())
    return "'" + variation.name + "' is no constant or macro of the files, and " + parsed.error;
  options.wishes.push_back(parsed.wish);
  return {};
}

} // namespace

Variation parse_variation(const std::string &given, std::string &error) {
  static const std::regex of_pitch(R"((\w+)\s+pitch\s*=\s*(.+))"), of_constant(R"((\w[\w.]*)\s*=\s*(.+))");
  const std::string text = trimmed(given);
  std::smatch match;
  Variation variation;
  if (const auto launch = launch_variation(text, error))
    variation = *launch;
  else if (std::regex_match(text, match, of_pitch))
    variation = {Variation::Kind::Pitch, match[1], values_of(match[2], error), {}};
  else if (std::regex_match(text, match, of_constant))
    variation = {Variation::Kind::Constant, match[1], values_of(match[2], error), {}};
  else
    error = "'Bs pitch=33', 'block=(32,8)' or 'TILE=64' is needed";
  if (error.empty() && variation.kind == Variation::Kind::Pitch && !is_name(variation.name))
    error = "'" + variation.name + "' is no name of an array";
  return variation;
}

std::vector<SourceVariant> variants_of(const std::vector<Variation> &variations, std::string &error) {
  std::size_t count = 1;
  for (const Variation &variation : variations)
    if ((count *= variation.values.size()) > kMostVariants) {
      error = "more than " + std::to_string(kMostVariants) + " combinations";
      return {};
    }
  std::vector<SourceVariant> all(1); // as it is
  for (std::size_t n = 0; n < count; ++n) {
    SourceVariant variant;
    std::size_t part = count, left = n;
    for (const Variation &variation : variations) {
      part /= variation.values.size();
      const std::string &value = variation.values[left / part];
      left %= part;
      variant.values.emplace_back(&variation, value);
      variant.text += (variant.text.empty() ? "" : ", ") + variation.name +
                      (variation.kind == Variation::Kind::Pitch ? " pitch=" : "=") + value +
                      (variation.rest.empty() ? "" : " " + variation.rest);
    }
    all.push_back(std::move(variant));
  }
  return all;
}

DriverOptions options_for(const SourceVariant &variant, const DriverOptions &options,
                          const std::map<std::string, std::string> &texts, std::string &error) {
  DriverOptions out = options;
  std::map<std::string, std::string> edited = texts;
  for (const auto &[variation, value] : variant.values)
    if (error = apply(*variation, value, out, edited); !error.empty())
      return out;
  for (const auto &[path, text] : edited)
    if (text != texts.at(path))
      out.unsaved.emplace(path, text);
  return out;
}

} // namespace smem
