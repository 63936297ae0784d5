#include "plan/kernel_facts.h"

#include "plan/launch_spec.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

constexpr std::int64_t kMostThreads = 1024; ///< of a block, on every architecture

std::string_view trimmed(std::string_view text) { return llvm::StringRef(text).trim(); }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// `A..B`, `A..B step S`, `multiple of M`; nothing, without an error, if it is none of these.
std::optional<ArgumentFacts> parse_range(std::string_view text, std::string &error) {
  const auto number = [&](std::string_view digits) {
    const std::optional<std::int64_t> value = parse_integer(trimmed(digits));
    if (!value)
      error = quoted(trimmed(digits)) + " is not an integer (in " + quoted(text) + ")";
    return value.value_or(0);
  };
  const auto check_modulus = [&](std::int64_t modulus) {
    if (error.empty() && (modulus < 1 || modulus > ArgumentFacts::kMostModulus))
      error = "the step in " + quoted(text) + " must be between 1 and " + std::to_string(ArgumentFacts::kMostModulus);
  };
  ArgumentFacts facts;
  constexpr std::string_view kMultiple = "multiple of ", kStep = " step ";
  if (text.starts_with(kMultiple)) {
    facts.modulus = number(text.substr(kMultiple.size()));
    check_modulus(facts.modulus);
    return facts;
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos)
    return std::nullopt;
  const std::size_t step = std::min(text.find(kStep), text.size());
  facts.least = number(text.substr(0, dots));
  facts.most = number(text.substr(dots + 2, step < dots ? 0 : step - dots - 2));
  if (step < text.size()) {
    const std::int64_t modulus = number(text.substr(step + kStep.size()));
    check_modulus(modulus);
    if (error.empty()) {
      facts.modulus = modulus;
      facts.remainder = (*facts.least % modulus + modulus) % modulus;
    }
  }
  if (error.empty() && *facts.least > *facts.most)
    error = "no value lies in " + quoted(text);
  return facts;
}

bool is_number_or_shape(std::string_view text) {
  return !text.empty() &&
         (text.front() == '(' || text.front() == '-' || std::isdigit(static_cast<unsigned char>(text.front())));
}

/// What holds at the same time.
std::string parse_facts(std::string_view name, std::string_view text, ArgumentFacts &facts) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view piece = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    std::string error;
    std::optional<ArgumentFacts> fact = parse_range(piece, error);
    if (!error.empty())
      return error;
    if (!fact) {
      if (piece.empty() || std::string_view("%<>").find(piece.front()) == std::string_view::npos)
        return quoted(piece) + " is no fact; write for instance 32..1024 step 32, multiple of 32 or >= 64";
      const ParsedWish parsed = parse_launch_words("n " + std::string(piece));
      if (!parsed.error.empty())
        return parsed.error;
      fact = parsed.wish.facts.front().second;
    }
    const std::optional<ArgumentFacts> both = combine(facts, *fact);
    if (!both || !both->nearest(0))
      return "no value satisfies " + quoted(text);
    facts = *both;
  }
  return name.empty() ? "a name is missing" : std::string();
}

} // namespace

std::string add_kernel_fact(LaunchWish &wish, std::string_view name, std::string_view text) {
  text = trimmed(text);
  const bool is_range = text.find("..") != std::string_view::npos;
  if (is_number_or_shape(text) && !is_range) {
    ParsedWish parsed = parse_launch_words(std::string(name) + "=" + std::string(text));
    if (!parsed.error.empty())
      return parsed.error;
    if (parsed.wish.block)
      wish.block = parsed.wish.block;
    if (parsed.wish.grid)
      wish.grid = parsed.wish.grid;
    if (parsed.wish.dynamic_shared_bytes)
      wish.dynamic_shared_bytes = parsed.wish.dynamic_shared_bytes;
    wish.scalars.insert(wish.scalars.end(), parsed.wish.scalars.begin(), parsed.wish.scalars.end());
    return {};
  }
  if (text == "?" || name == "grid" || name == "dynamic") {
    if (text != "?" || name == "block" || name == "dynamic")
      return quoted(text) + " is no value of " + quoted(name);
    if (name == "grid")
      wish.grid_open = true;
    else
      wish.facts.emplace_back(std::string(name), ArgumentFacts());
    return {};
  }
  ArgumentFacts facts;
  if (const std::string error = parse_facts(name, text, facts); !error.empty())
    return error;
  if (name == "block") {
    ArgumentFacts possible;
    possible.least = 1;
    possible.most = kMostThreads;
    const std::optional<ArgumentFacts> both = combine(facts, possible);
    if (!both || !both->nearest(1))
      return "no block has " + quoted(text) + " threads: 1 to " + std::to_string(kMostThreads) + " are possible";
    wish.threads = facts;
    return {};
  }
  // The name is checked as that of a parameter.
  if (const ParsedWish parsed = parse_launch_words(std::string(name) + "=1"); !parsed.error.empty())
    return parsed.error;
  wish.facts.emplace_back(std::string(name), facts);
  return {};
}

std::string kernel_fact_text(const ArgumentFacts &facts) {
  if (facts.empty())
    return "?";
  const bool bounded = facts.least && facts.most;
  if (bounded && facts.least == facts.most)
    return std::to_string(*facts.least);
  if (bounded && facts.modulus > 1 && *facts.least % facts.modulus == facts.remainder)
    return std::to_string(*facts.least) + ".." + std::to_string(*facts.most) + " step " + std::to_string(facts.modulus);
  std::string text;
  const auto add = [&](const std::string &piece) { text += (text.empty() ? "" : ", ") + piece; };
  if (facts.modulus > 1 && facts.remainder == 0)
    add("multiple of " + std::to_string(facts.modulus));
  else if (facts.modulus > 1)
    add("% " + std::to_string(facts.modulus) + " == " + std::to_string(facts.remainder));
  if (bounded)
    add(std::to_string(*facts.least) + ".." + std::to_string(*facts.most));
  else if (facts.least)
    add(">= " + std::to_string(*facts.least));
  else if (facts.most)
    add("<= " + std::to_string(*facts.most));
  return text;
}

} // namespace smem
