#include "plan/kernel_facts.h"

#include "plan/launch_spec.h"
#include "support/paths.h"
#include "support/words.h"

#include <algorithm>
#include <array>
#include <optional>

#include <llvm/ADT/StringRef.h>

namespace smem {
namespace {

constexpr std::int64_t kMostThreads = 1024; ///< of a block, on every architecture
constexpr std::array<std::int64_t, 3> kMostOfAxis{1024, 1024, 64};

std::string_view trimmed(std::string_view text) { return llvm::StringRef(text).trim(); }

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

/// `32..1024 step 32`, `(32, 1..32)`: of each axis one value, one fact, or `?`.
std::string parse_block_facts(std::string_view text, BlockFacts &facts) {
  const bool axes = text.starts_with('(') && text.ends_with(')');
  std::string_view rest = axes ? trimmed(text.substr(1, text.size() - 2)) : text;
  for (std::size_t axis = 0; axis < facts.size(); ++axis) {
    ArgumentFacts &own = facts[axis];
    own.least = 1;
    own.most = rest.empty() ? 1 : kMostOfAxis[axis];
    if (rest.empty())
      continue;
    const std::size_t comma = axes ? std::min(rest.find(','), rest.size()) : rest.size();
    const std::string_view piece = trimmed(rest.substr(0, comma));
    rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
    ArgumentFacts said;
    if (const std::optional<std::int64_t> value = parse_integer(piece))
      said.least = said.most = *value;
    else if (piece != "?")
      if (const std::string error = parse_facts("block", piece, said); !error.empty())
        return error;
    const std::optional<ArgumentFacts> both = combine(own, said);
    if (!both)
      return "no block has " + quoted(text) + " threads" + (axes ? " along its axes" : "") + ": 1 to " +
             std::to_string(kMostOfAxis[axis]) + " are possible";
    own = *both;
  }
  if (!rest.empty())
    return quoted(text) + " has more than three axes";
  std::int64_t least = 1;
  for (const ArgumentFacts &axis : facts)
    least *= axis.nearest(1).value_or(1);
  if (least > kMostThreads)
    return "no block has " + quoted(text) + " threads along its axes: " + std::to_string(kMostThreads) +
           " in all are possible";
  return {};
}

} // namespace

std::string add_kernel_fact(LaunchWish &wish, std::string_view name, std::string_view text) {
  text = trimmed(text);
  const bool is_fact = text.find("..") != std::string_view::npos ||
                       (text.starts_with('(') && text.find_first_of("?%<>m") != std::string_view::npos);
  if (is_number_or_shape(text) && !is_fact) {
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
  if (name == "block") {
    BlockFacts block;
    if (const std::string error = parse_block_facts(text, block); !error.empty())
      return error;
    wish.block_facts = block;
    return {};
  }
  ArgumentFacts facts;
  if (const std::string error = parse_facts(name, text, facts); !error.empty())
    return error;
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

std::string kernel_fact_text(const BlockFacts &facts) {
  const auto text = [&](std::size_t axis) { // without what holds of every block
    ArgumentFacts said = facts[axis];
    if (said.least == 1 && said.most == kMostOfAxis[axis])
      said.least = said.most = std::nullopt;
    return kernel_fact_text(said);
  };
  if (text(1) == "1" && text(2) == "1")
    return text(0);
  std::string axes = text(0);
  for (std::size_t axis = 1; axis < (text(2) == "1" ? 2 : facts.size()); ++axis)
    axes.append(", ").append(text(axis));
  return axes.insert(0, 1, '(') + ")";
}

std::string said_by_code(const ArgumentValue &argument, const std::string &name) {
  std::string text = to_string(argument.facts, name);
  if (argument.facts_location.known()) {
    SourceLocation place = argument.facts_location;
    place.file = seen_from_here(place.file);
    place.column = 0;
    text += " (" + to_string(place) + ")";
  }
  return text;
}

std::string block_words(const BlockFacts &facts) {
  const std::string text = kernel_fact_text(facts);
  return text == "?" ? "blockDim.y == 1 and blockDim.z == 1" : "block=" + text;
}

} // namespace smem
