#include "host/possible_integer.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

#include "smem/integer_division.h"

namespace smem::integers {

PossibleInteger of_values(std::vector<std::int64_t> values) {
  PossibleInteger out;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  out.facts = {1, 0, values[0], values[0]};
  for (const std::int64_t v : values)
    out.facts = either(out.facts, {1, 0, v, v});
  if (values.size() <= kMostValues)
    out.values = std::move(values);
  return out;
}
PossibleInteger number(std::int64_t value) { return of_values({value}); }
PossibleInteger range(std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  PossibleInteger out;
  if (least && *least > -kFar)
    out.facts.least = least;
  if (most && *most < kFar)
    out.facts.most = most;
  return out;
}

std::optional<std::int64_t> only(const PossibleInteger &a) {
  return a.facts.least && a.facts.least == a.facts.most ? a.facts.least : std::nullopt;
}

PossibleInteger join(const PossibleInteger &a, const PossibleInteger &b) {
  PossibleInteger out;
  out.facts = either(a.facts, b.facts);
  out.from = a.from.isValid() ? a.from : b.from;
  if (!a.values.empty() && !b.values.empty()) {
    std::set_union(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), std::back_inserter(out.values));
    if (out.values.size() > kMostValues)
      out.values.clear();
  }
  return out;
}

std::optional<PossibleInteger> meet(const PossibleInteger &a, const PossibleInteger &b, clang::SourceLocation from) {
  ArgumentFacts known = b.facts;
  if (a.facts.modulus > ArgumentFacts::kMostModulus / known.modulus)
    known.modulus = 1, known.remainder = 0;
  const auto facts = combine(a.facts, known);
  if (!facts)
    return std::nullopt;
  PossibleInteger out = a;
  if (!(*facts == a.facts))
    out.from = from;
  out.facts = *facts;
  const PossibleInteger &listed = a.values.empty() ? b : a, &other = a.values.empty() ? a : b;
  if (!listed.values.empty()) {
    std::vector<std::int64_t> values;
    for (const std::int64_t v : listed.values)
      if (other.facts.admits(v) &&
          (other.values.empty() || std::binary_search(other.values.begin(), other.values.end(), v)))
        values.push_back(v);
    if (values.empty())
      return std::nullopt;
    const auto own = out.from;
    out = of_values(std::move(values));
    out.from = own;
  }
  return out;
}

std::optional<PossibleInteger> without(const PossibleInteger &a, std::int64_t value, clang::SourceLocation from) {
  PossibleInteger out = a;
  if (!a.values.empty()) {
    std::vector<std::int64_t> values = a.values;
    std::erase(values, value);
    if (values.empty())
      return std::nullopt;
    if (values.size() < a.values.size()) {
      out = of_values(std::move(values));
      out.from = from;
    }
    return out;
  }
  if (only(a) == value)
    return std::nullopt;
  if (a.facts.least == value)
    return meet(a, range(value + 1, std::nullopt), from);
  if (a.facts.most == value)
    return meet(a, range(std::nullopt, value - 1), from);
  return out;
}

bool near(std::int64_t value) { return value > -kFar && value < kFar; }

namespace {

std::optional<std::int64_t> compute(clang::BinaryOperatorKind operation, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  switch (operation) {
  case clang::BO_Add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Sub: return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Mul: return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Div: return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
  case clang::BO_Rem: return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
  case clang::BO_And: return a & b;
  case clang::BO_Or: return a | b;
  case clang::BO_Xor: return a ^ b;
  case clang::BO_Shl:
    return b < 0 || b > 40 || !near(a) || a < 0 || a > (std::int64_t{1} << 20) ? std::nullopt : std::optional(a << b);
  case clang::BO_Shr: return b < 0 || b > 62 ? std::nullopt : std::optional(a >> b);
  default: return std::nullopt;
  }
}

} // namespace

PossibleInteger binary(clang::BinaryOperatorKind operation, const PossibleInteger &a, const PossibleInteger &b) {
  PossibleInteger out;
  out.from = a.from.isValid() ? a.from : b.from;
  if (!a.values.empty() && !b.values.empty() && a.values.size() * b.values.size() <= 4 * kMostValues) {
    std::vector<std::int64_t> values;
    bool all = true;
    for (const std::int64_t x : a.values)
      for (const std::int64_t y : b.values)
        if (const auto value = compute(operation, x, y))
          values.push_back(*value);
        else
          all = false;
    if (all && !values.empty()) {
      const auto from = out.from;
      out = of_values(std::move(values));
      out.from = from;
      return out;
    }
  }
  const auto c = only(b);
  const auto set_modulus = [&](std::int64_t modulus, std::int64_t remainder) {
    if (modulus > ArgumentFacts::kMostModulus)
      modulus = std::min(modulus & -modulus, ArgumentFacts::kMostModulus);
    if (modulus > 1)
      out.facts.modulus = modulus, out.facts.remainder = floor_mod(remainder, modulus);
  };
  const auto bounded = [](std::optional<std::int64_t> value) { return value && near(*value); };
  switch (operation) {
  case clang::BO_Add:
  case clang::BO_Sub: {
    const bool minus = operation == clang::BO_Sub;
    // A single number has every modulus.
    const std::int64_t of_a = only(a) ? 0 : a.facts.modulus, of_b = c ? 0 : b.facts.modulus;
    const std::int64_t rest_a = only(a).value_or(a.facts.remainder), rest_b = c.value_or(b.facts.remainder);
    if (const std::int64_t modulus = std::gcd(of_a, of_b); modulus && near(rest_a) && near(rest_b))
      set_modulus(modulus, minus ? rest_a - rest_b : rest_a + rest_b);
    const auto low = minus ? b.facts.most : b.facts.least, high = minus ? b.facts.least : b.facts.most;
    if (bounded(a.facts.least) && bounded(low))
      out.facts.least = minus ? *a.facts.least - *low : *a.facts.least + *low;
    if (bounded(a.facts.most) && bounded(high))
      out.facts.most = minus ? *a.facts.most - *high : *a.facts.most + *high;
    return out;
  }
  case clang::BO_Mul: {
    const auto factor = c ? c : only(a);
    const PossibleInteger &other = c ? a : b;
    if (factor) {
      if (*factor == 0)
        return number(0);
      constexpr std::int64_t kMostFactor = std::int64_t{1} << 30;
      if (*factor > kMostFactor || *factor < -kMostFactor)
        return out;
      std::int64_t modulus = std::abs(*factor) * other.facts.modulus;
      if (modulus <= ArgumentFacts::kMostModulus * 1024)
        set_modulus(modulus, *factor * other.facts.remainder);
      const auto times = [&](std::optional<std::int64_t> v) {
        return v && std::abs(*v) < (std::int64_t{1} << 31) ? std::optional(*v * *factor) : std::nullopt;
      };
      out.facts.least = times(*factor > 0 ? other.facts.least : other.facts.most);
      out.facts.most = times(*factor > 0 ? other.facts.most : other.facts.least);
      return out;
    }
    if (!a.facts.remainder && !b.facts.remainder && a.facts.modulus <= ArgumentFacts::kMostModulus / b.facts.modulus)
      set_modulus(a.facts.modulus * b.facts.modulus, 0);
    else if (!a.facts.remainder)
      set_modulus(a.facts.modulus, 0);
    else if (!b.facts.remainder)
      set_modulus(b.facts.modulus, 0);
    if (a.facts.least && *a.facts.least >= 0 && b.facts.least && *b.facts.least >= 0)
      out.facts.least = 0;
    return out;
  }
  case clang::BO_Div:
    if (!c || *c <= 0)
      return out;
    if (a.facts.modulus % *c == 0 && a.facts.remainder % *c == 0)
      set_modulus(a.facts.modulus / *c, a.facts.remainder / *c);
    if (bounded(a.facts.least))
      out.facts.least = *a.facts.least / *c;
    if (bounded(a.facts.most))
      out.facts.most = *a.facts.most / *c;
    return out;
  case clang::BO_Rem:
    if (!c || *c <= 0)
      return out;
    set_modulus(std::gcd(a.facts.modulus, *c), a.facts.remainder);
    out.facts.most = *c - 1;
    out.facts.least = a.facts.least && *a.facts.least >= 0 ? 0 : 1 - *c;
    return out;
  case clang::BO_And: {
    const auto mask = c ? c : only(a);
    const PossibleInteger &other = c ? a : b;
    if (!mask)
      return out;
    if (*mask != 0) { // its zeros at the end stay; those that the other has, too
      const std::int64_t low = *mask & -*mask;
      const std::int64_t modulus =
          other.facts.remainder ? low : std::max(low, other.facts.modulus & -other.facts.modulus);
      set_modulus(modulus, 0);
    }
    if (*mask >= 0)
      out.facts.least = 0, out.facts.most = *mask;
    else if (other.facts.least && *other.facts.least >= 0)
      out.facts.least = 0, out.facts.most = other.facts.most;
    return out;
  }
  case clang::BO_Shl: return c && *c >= 0 && *c <= 20 ? binary(clang::BO_Mul, a, number(std::int64_t{1} << *c)) : out;
  case clang::BO_Shr:
    if (c && *c >= 0 && *c <= 20 && a.facts.least && *a.facts.least >= 0)
      return binary(clang::BO_Div, a, number(std::int64_t{1} << *c));
    return out;
  default: return out;
  }
}

} // namespace smem::integers
