#include "plan/launch_spec.h"
#include "plan/kernel_names.h"

#include "support/nearest.h"
#include "support/words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

std::string_view trimmed(std::string_view text) { return llvm::StringRef(text).trim(); }

bool is_identifier(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

/// `n`, `p.rows`, `p.dims[1].x`
bool is_scalar_name(std::string_view text) {
  const std::size_t end = text.find_first_of(".[");
  if (!is_identifier(text.substr(0, end)))
    return false;
  if (end == std::string_view::npos)
    return true;
  if (text[end] == '.')
    return is_scalar_name(text.substr(end + 1));
  const std::size_t close = text.find(']', end);
  if (close == std::string_view::npos || close == end + 1 ||
      !std::ranges::all_of(text.substr(end + 1, close - end - 1), [](unsigned char c) { return std::isdigit(c); }))
    return false;
  const std::string_view rest = text.substr(close + 1); // another name stands in for what the rest continues
  return rest.empty() || ((rest.front() == '.' || rest.front() == '[') && is_scalar_name("_" + std::string(rest)));
}

/// `n`, `(x)`, `(x,y)` or `(x,y,z)`, each at least 1.
std::optional<Dim3> parse_dim(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '(') {
    if (text.back() != ')')
      return std::nullopt;
    text = text.substr(1, text.size() - 2);
  }
  std::uint32_t extent[3] = {1, 1, 1};
  for (unsigned i = 0;; ++i) {
    const std::size_t comma = text.find(',');
    const auto number = parse_integer(trimmed(text.substr(0, comma)));
    if (i == 3 || !number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    extent[i] = static_cast<std::uint32_t>(*number);
    if (comma == std::string_view::npos)
      return Dim3{extent[0], extent[1], extent[2]};
    text.remove_prefix(comma + 1);
  }
}

/// Cuts the next `key=value` off; blanks may stand inside parentheses.
std::string_view next_word(std::string_view &rest) {
  rest = trimmed(rest);
  std::size_t end = 0;
  for (int depth = 0; end < rest.size(); ++end) {
    depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
    if (depth <= 0 && (std::isspace(static_cast<unsigned char>(rest[end])) || rest[end] == ';'))
      break;
  }
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + (end < rest.size() && rest[end] == ';')));
  return word;
}

/// Blanks round the operators of a fact go, so that each fact is one word: `N % 32 == 0` becomes `N%32==0`.
std::string without_blanks_in_facts(std::string_view text) {
  constexpr std::string_view kOperators = "%<>";
  std::string out;
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool equality = text[i] == '=' && (text.substr(i).starts_with("==") || out.ends_with("=") ||
                                             out.ends_with(">") || out.ends_with("<"));
    if (kOperators.find(text[i]) == std::string_view::npos && !equality) {
      out += text[i];
      continue;
    }
    while (!out.empty() && is_blank(out.back()))
      out.pop_back();
    out += text[i];
    while (i + 1 < text.size() && is_blank(text[i + 1]))
      ++i;
  }
  return out;
}

/// `NAME%M==R`, `NAME>=K`, `NAME<=K`, `NAME>K`, `NAME<K`.
std::string add_fact(LaunchWish &wish, std::string_view word) {
  const std::size_t at = word.find_first_of("%<>");
  const std::string_view name = word.substr(0, at);
  if (!is_scalar_name(name) || name == "block" || name == "grid" || name == "dynamic")
    return quoted(word) + " is no fact about a parameter; write for instance N % 32 == 0 or N >= 1024";
  const auto number = [&](std::string_view digits, std::string &error) {
    const auto value = parse_integer(digits);
    if (!value)
      error = quoted(digits) + " is not an integer (in " + quoted(word) + ")";
    return value.value_or(0);
  };
  std::string error;
  ArgumentFacts fact;
  if (word[at] == '%') {
    const std::size_t equals = word.find("==", at);
    if (equals == std::string_view::npos)
      return quoted(word) + " needs a remainder: " + std::string(name) + " % M == R";
    fact.modulus = number(word.substr(at + 1, equals - at - 1), error);
    fact.remainder = number(word.substr(equals + 2), error);
    if (!error.empty())
      return error;
    if (fact.modulus < 1 || fact.modulus > ArgumentFacts::kMostModulus)
      return "the modulus in " + quoted(word) + " must be between 1 and " + std::to_string(ArgumentFacts::kMostModulus);
    if (fact.remainder < 0 || fact.remainder >= fact.modulus)
      return "no remainder of " + std::to_string(fact.modulus) + " is " + std::to_string(fact.remainder);
  } else {
    const bool inclusive = word.substr(at + 1).starts_with('=');
    const std::int64_t bound = number(word.substr(at + 1 + inclusive), error);
    if (!error.empty())
      return error;
    if (word[at] == '>')
      fact.least = bound + (inclusive ? 0 : 1);
    else
      fact.most = bound - (inclusive ? 0 : 1);
  }
  for (auto &[known, facts] : wish.facts)
    if (known == name) {
      const auto both = combine(facts, fact);
      if (!both)
        return "no value satisfies both " + quoted(to_string(facts, name)) + " and " + quoted(to_string(fact, name));
      facts = *both;
      return {};
    }
  wish.facts.emplace_back(std::string(name), fact);
  return {};
}

std::string assign(LaunchWish &wish, std::string_view word) {
  if (word.find_first_of("%<>") != std::string_view::npos)
    return add_fact(wish, word);
  const std::size_t equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  if (equals == std::string_view::npos || !is_scalar_name(key))
    return quoted(word) + " is not of the form NAME=VALUE" + did_you_mean(key, {"block", "grid", "dynamic"});
  const std::string_view value = word.substr(equals + 1);
  if (value.starts_with('='))
    return quoted(word) + " is no fact; write " + std::string(key) + "=" + std::string(value.substr(1)) +
           " for a value";
  if (value == "?" && key != "block" && key != "dynamic") {
    if (key == "grid")
      wish.grid_open = true;
    else
      wish.facts.emplace_back(std::string(key), ArgumentFacts());
    return {};
  }
  if (key == "block" || key == "grid") {
    const auto dim = parse_dim(value);
    if (!dim)
      return quoted(value) + " is no " + std::string(key) + " shape; write " + std::string(key) +
             "=(x,y,z), each at least 1";
    std::optional<Dim3> &shape = key == "block" ? wish.block : wish.grid;
    if (shape)
      return quoted(key) + " is given twice";
    shape = dim;
    return {};
  }
  const auto number = parse_integer(value);
  if (!number)
    return quoted(value) + " is not an integer (value of " + quoted(key) + ")";
  if (key == "dynamic") {
    if (*number < 0)
      return "dynamic shared memory cannot be negative";
    if (wish.dynamic_shared_bytes)
      return quoted(key) + " is given twice";
    wish.dynamic_shared_bytes = static_cast<std::uint64_t>(*number);
    return {};
  }
  for (const auto &[name, old] : wish.scalars)
    if (name == key)
      return quoted(key) + " is given twice";
  wish.scalars.emplace_back(std::string(key), *number);
  return {};
}

} // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::string digits;
  const bool negative = !text.empty() && text.front() == '-';
  for (std::size_t i = negative; i < text.size(); ++i) {
    const bool separator = (text[i] == '\'' || text[i] == '_') && !digits.empty() && i + 1 < text.size();
    if (!separator)
      digits += text[i];
  }
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x')
    base = 16;
  else if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'b')
    base = 2;
  const char *first = digits.data() + (base == 10 ? 0 : 2), *last = digits.data() + digits.size();
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(first, last, magnitude, base);
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (first == last || error != std::errc() || end != last || magnitude > limit)
    return std::nullopt;
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

namespace {

ParsedWish parse_words(std::string_view text) {
  ParsedWish parsed;
  // A hint is to be filled in before it is used.
  if (const std::size_t open = text.find("=<"); open != std::string_view::npos) {
    std::size_t start = open;
    while (start > 0 && (std::isalnum(static_cast<unsigned char>(text[start - 1])) ||
                         std::string_view("_.[]").find(text[start - 1]) != std::string_view::npos))
      --start;
    const std::string key(text.substr(start, open - start));
    const std::size_t end = text.find('>', open);
    const std::string_view place = text.substr(open + 1, end == std::string_view::npos ? end : end - open);
    parsed.error = quoted(key + "=" + std::string(place)) + ": put the " +
                   (key == "block" || key == "grid" ? key + ", such as (32,8)," : "value of " + key) + " in place of " +
                   std::string(place);
    return parsed;
  }
  const std::string words = without_blanks_in_facts(text);
  for (std::string_view rest = words; parsed.error.empty() && !trimmed(rest).empty();)
    if (const std::string_view word = next_word(rest); !word.empty())
      parsed.error = assign(parsed.wish, word);
  return parsed;
}

/// Nothing is said but of which kernel.
bool is_empty(const LaunchWish &wish) {
  return !wish.block && !wish.grid && !wish.dynamic_shared_bytes && wish.scalars.empty() && wish.facts.empty() &&
         !wish.grid_open;
}

constexpr std::string_view kNothingSaid =
    "nothing is said about the launch; write for instance block=(32,8) grid=(128,128) N=4096";

} // namespace

ParsedWish parse_launch_words(std::string_view text) {
  ParsedWish parsed = parse_words(text);
  if (parsed.error.empty() && is_empty(parsed.wish))
    parsed.error = kNothingSaid;
  return parsed;
}

ParsedWish parse_launch_option(std::string_view text) {
  // The kernel ends at the last single ':' before the first '='; `::` belongs to a qualified name.
  const std::size_t equals = text.find_first_of("=%");
  std::size_t colon = std::string_view::npos, colons = 0;
  for (std::size_t i = 0; i < std::min(equals, text.size()); ++i) {
    if (text[i] != ':')
      continue;
    if (i + 1 < text.size() && text[i + 1] == ':')
      ++i;
    else {
      colon = i;
      ++colons;
    }
  }
  if (colon == std::string_view::npos)
    return parse_launch_words(text);
  ParsedWish parsed = parse_words(text.substr(colon + 1));
  parsed.wish.kernel = std::string(trimmed(text.substr(0, colon)));
  // The arguments of a template are something: with them it is instantiated.
  if (parsed.error.empty() && is_empty(parsed.wish) && parsed.wish.kernel.find('<') == std::string::npos)
    parsed.error = kNothingSaid;
  if (parsed.error.empty() && colons > 1)
    parsed.error = quoted(parsed.wish.kernel) + " is no name of a kernel";
  return parsed;
}

ParsedWish parse_set_option(std::string_view text) {
  ParsedWish parsed = parse_launch_words(text);
  const LaunchWish &wish = parsed.wish;
  if (parsed.error.empty() && (wish.block || wish.grid || wish.grid_open || wish.dynamic_shared_bytes))
    parsed.error = "the shape of a launch belongs into --launch";
  else if (parsed.error.empty() && wish.scalars.size() + wish.facts.size() != 1)
    parsed.error = "one NAME=VALUE or fact each";
  return parsed;
}

std::string launch_option_text(const LaunchWish &wish) {
  std::string words;
  const auto add = [&](const std::string &word) { words += (words.empty() ? "" : " ") + word; };
  if (wish.block)
    add("block=" + to_string(*wish.block));
  if (wish.grid)
    add("grid=" + to_string(*wish.grid));
  if (wish.dynamic_shared_bytes)
    add("dynamic=" + std::to_string(*wish.dynamic_shared_bytes));
  if (wish.grid_open)
    add("grid=?");
  for (const auto &[name, value] : wish.scalars)
    add(name + "=" + std::to_string(value));
  for (const auto &[name, facts] : wish.facts) {
    if (facts.empty())
      add(name + "=?");
    if (facts.modulus != 1)
      add(name + "%" + std::to_string(facts.modulus) + "==" + std::to_string(facts.remainder));
    if (facts.least)
      add(name + ">=" + std::to_string(*facts.least));
    if (facts.most)
      add(name + "<=" + std::to_string(*facts.most));
  }
  return wish.kernel.empty() ? words : wish.kernel + ":" + words;
}

bool wish_matches(const LaunchWish &wish, const Program &program) { return kernel_matches(wish.kernel, program); }

std::vector<std::pair<std::string, ArgumentFacts>> said_of_parameters(const LaunchWish &wish) {
  std::vector<std::pair<std::string, ArgumentFacts>> said = wish.facts;
  for (const auto &[name, value] : wish.scalars) {
    ArgumentFacts single;
    single.least = single.most = value;
    said.emplace_back(name, single);
  }
  return said;
}

} // namespace smem
